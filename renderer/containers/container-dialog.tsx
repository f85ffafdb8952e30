import { useEffect, useState } from 'react';
import {
  canBeShared,
  inContainer,
  type PackageEngine,
  type SharedFolder,
} from '../../shared/container-entry.ts';
import styles from '../clients/client-dialog.module.css';
import { FieldLine } from '../clients/client-fields.tsx';
import { effectOf } from '../editor/save-effect.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { ChangeList } from '../import/change-list.tsx';
import { usePanel, useServer, useServices } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useEntry } from '../editor/use-entry.ts';

/** Dialog that shows how an entry changes when its package runs in a container, then writes the entry. */
export function ContainerDialog({ server }: { readonly server: string }) {
  const { manage } = useServices();
  const { change, entry, error, engines, engine, setEngine, folders, setFolders } =
    useContainerChoice(server);
  const state = useServer(server)?.state.kind;
  const named = (one: RawEntry) => ({ name: server, entry: one });
  const effect = change && effectOf({ before: named(change.before), after: named(change.after), state });
  const close = () => manage.close();
  const save = () => {
    if (change === undefined) return;
    void manage.replace(server, change, `Changed ${server} to run in ${engine}.`);
    close();
  };
  return (
    <Dialog
      title={`Run ${server} in a container`}
      onClose={close}
      onSubmit={save}
      foot={
        <>
          <p role="status">{effect && `${effect.words}. Its image may be downloaded first.`}</p>
          <TextButton onClick={close}>Cancel</TextButton>
          <TextButton look="main" disabled={change === undefined} onClick={save}>
            Run in a container
          </TextButton>
        </>
      }
    >
      {error !== undefined && <ErrorNote error={error} server={server} lead="Could not read it" />}
      <div className={styles.form}>
        {engine !== undefined && engines.length > 1 && (
          <FieldLine label="Engine">
            <Segments name="Engine" value={engine} choices={engines.map(asChoice)} onChange={setEngine} />
          </FieldLine>
        )}
        <FieldLine label="Files that it sees">
          <FolderFields {...{ folders, setFolders }} />
        </FieldLine>
        <FieldLine label="Stays behind">
          <LeftOut folder={entry?.['cwd']} />
        </FieldLine>
        {change && (
          <FieldLine label="servers.json">
            <ChangeList name={server} {...change} />
          </FieldLine>
        )}
      </div>
    </Dialog>
  );
}

const asChoice = (value: PackageEngine) => ({ value, label: value });

/** What the server has now, and will not have in a container. */
const LeftOut = ({ folder }: { readonly folder: unknown }) => (
  <ul>
    <li>All other files of this machine, its home folder among them</li>
    {typeof folder === 'string' && (
      <li>
        Its working folder <code>{folder}</code>
      </li>
    )}
    <li>Variables of your shell, and PATH and HOME of the entry</li>
    <li>Ports of this machine: in a container, localhost is the container</li>
  </ul>
);

type FolderFieldsProps = Pick<ReturnType<typeof useContainerChoice>, 'folders' | 'setFolders'>;

/** Files and folders of this machine, each with whether a container sees it and may write to it; others can be added. */
function FolderFields({ folders, setFolders }: FolderFieldsProps) {
  const [added, setAdded] = useState('');
  const problem =
    added === '' || canBeShared(added) ? undefined : 'A path begins with / and has no comma, colon or quote.';
  const put = (path: string, change: Partial<OfferedFolder>) =>
    setFolders(folders.map((folder) => (folder.path === path ? { ...folder, ...change } : folder)));
  const add = () => {
    const others = folders.filter(({ path }) => path !== added);
    setFolders([...others, { path: added, isShared: true, isWritable: false }]);
    setAdded('');
  };
  return (
    <>
      {folders.map(({ path, isShared, isWritable }) => (
        <div key={path} className={styles.folder}>
          <CheckField label={path} isChecked={isShared} onChange={(is) => put(path, { isShared: is })} />
          <CheckField
            label="may write"
            name={`May write to ${path}`}
            isChecked={isShared && isWritable}
            isDisabled={!isShared}
            onChange={(is) => put(path, { isWritable: is })}
          />
        </div>
      ))}
      <div className={styles.folder}>
        <TextField label="Another path" value={added} error={problem} onChange={setAdded} />
        <TextButton aria-label="Add the path" disabled={added === '' || problem !== undefined} onClick={add}>
          Add
        </TextButton>
      </div>
    </>
  );
}

/** File or folder that may be shared with a container. */
interface OfferedFolder extends SharedFolder {
  readonly isShared: boolean;
}

/** What a person chooses for the container of a server, and what becomes of the entry. */
function useContainerChoice(server: string) {
  const { api } = useServices();
  const { entry, error } = useEntry(api, server);
  const engines = usePanel((state) => state.engines);
  const [engine = engines[0], setEngine] = useState<PackageEngine>();
  const [version, setVersion] = useState<string>();
  const [folders, setFolders] = useState<readonly OfferedFolder[]>([]);
  useEffect(() => {
    // Without an answer, the person names what it needs.
    void api.getContainerNeeds(server).then(
      (needs) => {
        setVersion(needs.version);
        // Files that it was pointed at are shared, but not for writing.
        setFolders(needs.paths.map((path) => ({ path, isShared: true, isWritable: false })));
      },
      () => undefined,
    );
  }, [api, server]);
  const shared = folders.filter(({ isShared }) => isShared);
  const after = entry && engine && inContainer(entry, { server, engine, version, folders: shared });
  const change = entry && after && { before: entry, after };
  return { change, entry, error, engines, engine, setEngine, folders, setFolders };
}
