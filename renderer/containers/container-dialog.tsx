import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import {
  canBeShared,
  optionsLeftBehind,
  variablesSent,
  type PackageEngine,
} from '../../shared/container-entry.ts';
import { FieldLine } from '../ui/field-line.tsx';
import { effectOf } from '../editor/save-effect.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { listWords } from '../format/figures.ts';
import { ChangeList } from '../import/change-list.tsx';
import { useServer, useServices } from '../services.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { placeName, type OfferedFolder, useContainerChoice } from './use-container-choice.ts';

interface ContainerDialogProps {
  readonly server: string;
  /** True if the server is moved to another engine, or back. */
  readonly isMove?: boolean;
}

/** Dialog that shows how the entry changes for a container on this machine or another engine. Confirming writes the entry. */
export function ContainerDialog({ server, isMove = false }: ContainerDialogProps) {
  const { manage } = useServices();
  const choice = useContainerChoice(server, isMove);
  const { change, error, engine, place } = choice;
  const state = useServer(server)?.state.kind;
  const named = (one: RawEntry) => ({ name: server, entry: one });
  const effect = change && effectOf({ before: named(change.before), after: named(change.after), state });
  const close = () => manage.close();
  const save = () => {
    if (change === undefined) return;
    const words = isMove
      ? `Moved ${server} to ${placeName(place) ?? 'the engine at its new address'}.`
      : `Changed ${server} to run in ${engine}.`;
    void manage.replace(server, change, words);
    close();
  };
  return (
    <Dialog
      title={isMove ? `Move ${server}` : `Run ${server} in a container`}
      onClose={close}
      foot={<p role="status">{effect && `${effect.words}. Its image may be downloaded first.`}</p>}
      main={{
        words: isMove ? 'Move' : 'Run in a container',
        isDisabled: change === undefined,
        run: save,
      }}
    >
      {error !== undefined && <ErrorNote error={error} server={server} lead="Could not read it" />}
      <ContainerForm {...{ choice, server, isMove }} />
    </Dialog>
  );
}

type Choice = ReturnType<typeof useContainerChoice>;

interface ContainerFormProps extends Required<ContainerDialogProps> {
  readonly choice: Choice;
}

/** Fields of the dialog, with a preview of the changed entry. */
function ContainerForm({ choice, server, isMove }: ContainerFormProps) {
  const { change, entry, engines, engine, setEngine, folders, setFolders, place } = choice;
  const isElsewhere = isMove && place !== 'here';
  return (
    <div className="flex flex-col gap-12">
      {isMove && (
        <FieldLine label="Move to">
          <PlaceField {...choice} />
        </FieldLine>
      )}
      {!isElsewhere && engine !== undefined && engines.length > 1 && (
        <FieldLine label="Engine">
          <Segments name="Engine" value={engine} choices={engines.map(asChoice)} onChange={setEngine} />
        </FieldLine>
      )}
      {!isElsewhere && (
        <FieldLine label="Files that it sees">
          <FolderFields {...{ folders, setFolders }} />
        </FieldLine>
      )}
      {entry && (
        <FieldLine label="Stays behind">
          <LeftOut {...{ entry, isMove, isElsewhere }} />
        </FieldLine>
      )}
      {isElsewhere && change && (
        <FieldLine label="Goes there">
          <Sent entry={change.after} />
        </FieldLine>
      )}
      {change && (
        <FieldLine label="servers.json">
          <ChangeList name={server} {...change} />
        </FieldLine>
      )}
    </div>
  );
}

const asChoice = (value: PackageEngine) => ({ value, label: value });

/** Field that chooses the engine to which a server is moved: a known one, or the one at an address. */
function PlaceField({ place, places, setPlace }: Choice) {
  const address = place !== 'here' && 'address' in place ? place.address : undefined;
  const at = places.findIndex((one) => one === place);
  return (
    <>
      {places.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label="Move to"
          value={at}
          data={[
            ...places.map((one, index) => ({
              value: String(index),
              label: one === 'here' ? 'This machine' : (placeName(one) ?? ''),
            })),
            { value: '-1', label: 'Another address' },
          ]}
          onChange={({ currentTarget }) => setPlace(places[Number(currentTarget.value)] ?? { address: '' })}
        />
      )}
      {address !== undefined && (
        <TextField
          label="Address of its Docker"
          placeholder="ssh://me@machine"
          hint="ssh:// uses your own ssh, with its keys and settings. tcp:// and unix:// work, too."
          hasFocus={places.length === 0}
          value={address}
          onChange={(next) => setPlace({ address: next })}
        />
      )}
    </>
  );
}

/** Lists this machine's files and folders, with check boxes for what the container can see and write to. Users can add others. */
function FolderFields({ folders, setFolders }: Pick<Choice, 'folders' | 'setFolders'>) {
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
        <div
          key={path}
          className="grid grid-cols-[minmax(0,1fr)_96px] items-start gap-12 w-full wrap-anywhere"
        >
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
      <div className="grid grid-cols-[minmax(0,1fr)_96px] items-start gap-12 w-full wrap-anywhere">
        <TextField label="Another path" value={added} error={problem} onChange={setAdded} />
        <TextButton aria-label="Add the path" disabled={added === '' || problem !== undefined} onClick={add}>
          Add
        </TextButton>
      </div>
    </>
  );
}

interface LeftOutProps {
  readonly entry: RawEntry;
  /** True if the server is moved to another engine, or back from one. */
  readonly isMove: boolean;
  readonly isElsewhere: boolean;
}

/** Lists what the server can use now but not after the change: in a container, or in a container on another machine. */
function LeftOut({ entry, isMove, isElsewhere }: LeftOutProps) {
  const folder = entry['cwd'];
  if (isMove && !isElsewhere) return <p>Files and volume contents on the machine that it leaves</p>;
  return (
    <ul>
      <li>{isMove ? 'All' : 'All other'} files of this machine, including its home folder</li>
      {isMove && <li>Contents of its volumes</li>}
      {isMove &&
        optionsLeftBehind(entry).map((option) => (
          <li key={option}>
            <code>{option}</code>
          </li>
        ))}
      {typeof folder === 'string' && (
        <li>
          Its working folder <code>{folder}</code>
        </li>
      )}
      <li>Variables of your shell, and PATH and HOME of the entry</li>
      <li>Ports of this machine: there, localhost is {isMove ? 'that machine' : 'the container'}</li>
    </ul>
  );
}

/** Lists what the other engine receives from this machine. */
function Sent({ entry }: { readonly entry: RawEntry }) {
  const { own, ofMachine, files } = variablesSent(entry);
  if (own.length + ofMachine.length + files.length === 0) return <p>No variables, and no secrets</p>;
  return (
    <ul>
      {own.length > 0 && <li>Values of {listWords(own)}, as this entry has them</li>}
      {ofMachine.length > 0 && <li>Values that {listWords(ofMachine)} has in your shell here</li>}
      {files.length > 0 && <li>Variables in {listWords(files)}, a file of this machine</li>}
      <li>Anyone who may use that engine can read them</li>
    </ul>
  );
}
