import { useState } from 'react';
import type { FoundClient, Restore, RestoreResult } from '../../shared/ipc/topics/programs.ts';
import { formatPlural } from '../format/figures.ts';
import { ownerWords } from '../format/program-words.ts';
import { useServices, useTask } from '../services.ts';
import { hasMoved } from '../store/polled-stores.ts';
import { FailedNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { EntryTexts } from './entry-texts.tsx';

type AskedEntry = RestoreResult['asked'][number];

interface PutBackProps {
  readonly outcome: RestoreResult;
  readonly found: readonly FoundClient[];
}

/** Shows which entries were put back, and which were not because they have been changed since, with the reason. */
export function PutBack({ outcome: { restored, asked }, found }: PutBackProps) {
  const programOf = (client: string) => found.find(({ id }) => id === client);
  const ids = [...new Set(restored.map(({ client }) => client))];
  return (
    <div className="pt-8 wrap-anywhere" role="status">
      {restored.length > 0 && <p>{formatPlural(restored.length, 'entry', 'entries')} put back.</p>}
      {restored.length + asked.length === 0 && <p>Nothing was put back.</p>}
      {ids.map((id) => (
        <p key={id} className="text-12 text-dim">
          {programOf(id)?.name ?? id}: {programOf(id)?.reload}
        </p>
      ))}
      {asked.map((entry) => (
        <Asked
          key={JSON.stringify(entry)}
          entry={entry}
          program={programOf(entry.client)?.name ?? entry.client}
        />
      ))}
    </div>
  );
}

interface AskedProps {
  readonly entry: AskedEntry;
  /** Name of the program. */
  readonly program: string;
}

/** Entry that was not put back. The user can overwrite the current entry after comparing the two. */
function Asked({ entry, program }: AskedProps) {
  const { client, server, scope, path, reason, change } = entry;
  const [isCompared, setIsCompared] = useState(false);
  const { status, restore } = useRestoring();
  const name = `${program}, ${server} (${ownerWords(scope)})`;
  if (status?.phase === 'done') {
    const [still] = status.value.asked;
    if (still !== undefined) return <Asked entry={still} program={program} />;
    return <p className="text-12 text-dim">{name} was put back.</p>;
  }
  return (
    <>
      <p className="text-12 text-backoff">
        {name} was left as it is: {reason}. {change === undefined && `Change it yourself in ${path}. `}
        {change !== undefined && !isCompared && (
          <TextButton
            look="link"
            aria-label={`Compare: ${server} of ${program}`}
            onClick={() => setIsCompared(true)}
          >
            Compare…
          </TextButton>
        )}
      </p>
      {change !== undefined && isCompared && (
        <>
          <EntryTexts {...{ server, scope, path }} texts={{ Now: change.now, 'Put back': change.then }} />
          <TextButton
            aria-label={`Put back anyway: ${server} of ${program}`}
            isBusy={status?.phase === 'pending'}
            onClick={() =>
              restore({ client, servers: [{ name: server, scope, force: change.precondition }] })
            }
          >
            Put back anyway
          </TextButton>
        </>
      )}
      <FailedNote status={status} server={server} lead="Not put back" />
    </>
  );
}

/** Puts entries back into the files of programs: the entries of one program, or all that were moved. */
export function useRestoring() {
  const { api, clients, programs } = useServices();
  const { status, run } = useTask<RestoreResult>();
  const restore = (asked: Restore) =>
    void run(async () => {
      const moved = programs.state.getState().found?.filter(hasMoved) ?? [];
      programs.changing(asked.client === undefined ? moved.map(({ id }) => id) : [asked.client]);
      const outcome = await api.restoreServers(asked);
      await Promise.all([programs.refresh(), clients.refresh()]);
      return outcome;
    });
  return { restore, status };
}
