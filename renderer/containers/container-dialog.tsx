import type { PackageEngine } from '../../shared/container-entry.ts';
import { FieldLine } from '../clients/client-fields.tsx';
import { effectOf } from '../editor/save-effect.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { ChangeList } from '../import/change-list.tsx';
import { useServer, useServices } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { FolderFields } from './folder-fields.tsx';
import { LeftOut, Sent } from './left-out.tsx';
import { PlaceField } from './place-field.tsx';
import { placeName, useContainerChoice } from './use-container-choice.ts';

interface ContainerDialogProps {
  readonly server: string;
  /** Whether the server is moved to another engine, or back. */
  readonly isMove?: boolean;
}

/** Dialog that shows how an entry changes when its server runs in a container, here or on another engine, then writes the entry. */
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

interface ContainerFormProps extends Required<ContainerDialogProps> {
  readonly choice: ReturnType<typeof useContainerChoice>;
}

/** Fields of the dialog, and what becomes of the entry. */
function ContainerForm({ choice, server, isMove }: ContainerFormProps) {
  const { change, entry, engines, engine, setEngine, folders, setFolders, place } = choice;
  const isElsewhere = isMove && place !== 'here';
  return (
    <div className="column gap-12">
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
