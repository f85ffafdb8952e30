import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import { foreignNameProblem } from '../../shared/foreign-names.ts';
import type { FoundClient } from '../../shared/ipc/topics/programs.ts';
import { formatPlural } from '../format/figures.ts';
import {
  arrivalWords,
  copyLines,
  nameProblemWords,
  ownCopiesWords,
  ownerWords,
} from '../format/program-words.ts';
import { useClients, useNow, useServices } from '../services.ts';
import type { WantedMove } from '../store/manage-store.ts';
import { hasMoved } from '../store/polled-stores.ts';
import { CheckField } from '../ui/check-field.tsx';
import { ErrorNote, FailedNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useToggles } from '../ui/use-toggles.ts';
import { PutBack, useRestoring } from './put-back.tsx';

type FoundServer = FoundClient['servers'][number];

const keyOf = ({ id }: FoundClient, { name, scope }: FoundServer): string =>
  JSON.stringify([id, scope, name]);

const moveOf = ({ id, name, reload }: FoundClient, servers: readonly FoundServer[]): WantedMove => ({
  ...{ client: id, name, reload },
  servers: servers.map((server) => ({ name: server.name, scope: server.scope })),
});

/** Lists programs on this machine that have their own servers. These servers can be moved to the panel and back. */
export function ProgramsSection() {
  const { programs, manage } = useServices();
  useEffect(() => programs.follow(), [programs]);
  const found = useStore(programs.state, (state) => state.found);
  const error = useStore(programs.state, (state) => state.error);
  const all = found ?? [];
  const { ticked, wanted, toggle, clear } = useTicks(all);
  const { restore, status } = useRestoring();
  if (error === undefined && all.length === 0) return null;

  const costs = copyLines(all);
  const count = wanted.reduce((sum, { servers }) => sum + servers.length, 0);
  const back = (program?: FoundClient) => {
    clear();
    restore(program === undefined ? {} : { client: program.id });
  };
  return (
    <section className="pt-8 px-16 pb-12 border-b border-line" aria-label="On this machine">
      <header className="flex items-center gap-8">
        <h2 className="flex-1 text-13 font-semibold">On this machine</h2>
        {all.some(hasMoved) && (
          <TextButton isBusy={status?.phase === 'pending'} onClick={() => back()}>
            Put all back
          </TextButton>
        )}
        <TextButton disabled={count === 0} onClick={() => manage.open({ kind: 'move', wanted })}>
          {count === 0 ? 'Move…' : `Move ${formatPlural(count, 'server')}…`}
        </TextButton>
      </header>
      {error !== undefined && (
        <ErrorNote error={error} server="programs" lead="The programs could not be read" />
      )}
      {costs.length > 0 && (
        <ul aria-label="Copies running now">
          {costs.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <FailedNote status={status} server="programs" lead="Not put back" />
      {status?.phase === 'done' && <PutBack outcome={status.value} found={all} />}
      {all.map((program) => (
        <Program
          key={program.id}
          program={program}
          ticked={ticked}
          onToggle={toggle}
          onBack={() => back(program)}
        />
      ))}
    </section>
  );
}

/** Keeps which servers are ticked, and returns them as one move per program. Servers that are already moved are left out. */
function useTicks(found: readonly FoundClient[]) {
  const { on: ticked, toggle, clear } = useToggles<string>();
  const wanted = found.flatMap((program) => {
    const chosen = program.servers.filter((server) => !server.moved && ticked.has(keyOf(program, server)));
    return chosen.length === 0 ? [] : [moveOf(program, chosen)];
  });
  return { ticked, wanted, toggle, clear };
}

interface ProgramProps {
  readonly program: FoundClient;
  readonly ticked: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
  readonly onBack: () => void;
}

function Program({ program, ticked, onToggle, onBack }: ProgramProps) {
  const { name, path, problem, readable, servers } = program;
  const copies = ownCopiesWords(program);
  return (
    <section className="pt-8 wrap-anywhere" aria-label={name}>
      <header className="flex items-center gap-8">
        <h3 className="text-13 font-semibold">{name}</h3>
        <code className="flex-1 truncate text-12 font-mono text-dim" data-tip={path} data-tip-if-cut>
          {path}
        </code>
        {hasMoved(program) && (
          <TextButton
            aria-label={`Back: ${name}`}
            data-tip="Puts its own entries back as they were"
            onClick={onBack}
          >
            Back
          </TextButton>
        )}
      </header>
      {!readable && (
        <p className="pt-6 wrap-anywhere text-failed">Cannot be read: {problem ?? 'no reason is known'}.</p>
      )}
      {copies !== undefined && <p className="text-12 text-dim">{copies}</p>}
      <Arrival program={program} />
      {readable && servers.length === 0 && <p className="text-12 text-dim">It names no server.</p>}
      <ul aria-label={`Servers of ${name}`}>
        {servers.map((server) => {
          const key = keyOf(program, server);
          return (
            <ServerItem
              key={key}
              program={program}
              server={server}
              isTicked={ticked.has(key)}
              onToggle={() => onToggle(key)}
            />
          );
        })}
      </ul>
    </section>
  );
}

interface ServerItemProps extends Pick<ProgramProps, 'program'> {
  readonly server: FoundServer;
  readonly isTicked: boolean;
  readonly onToggle: () => void;
}

// Each server is a row that can be clicked. Its height keeps the targets as far apart as WCAG 2.2, 2.5.8 requires.
const itemLook =
  'flex items-center gap-8 [&>label]:flex-1 [&>label]:items-center [&>label]:min-h-24 [&>label]:hover:bg-hover [&>label>span]:flex-1';

function ServerItem({ program, server, isTicked, onToggle }: ServerItemProps) {
  const { manage } = useServices();
  const { name, scope, moved, lost } = server;
  const others = program.servers.filter((other) => other.scope === scope).map((other) => other.name);
  const nameProblem = foreignNameProblem(program.id, name, others);
  return (
    <li className={itemLook}>
      <CheckField
        name={`${name}, ${ownerWords(scope)}, of ${program.name}`}
        isChecked={moved || isTicked}
        isDisabled={moved}
        onChange={onToggle}
        label={<ServerLine server={server} />}
      />
      {nameProblem && (
        <p className="pl-(--indent) text-12 text-backoff">{nameProblemWords(program.name, nameProblem)}</p>
      )}
      {lost && (
        <TextButton
          look="link"
          aria-label={`Move again: ${name} of ${program.name}`}
          onClick={() => manage.open({ kind: 'move', wanted: [moveOf(program, [server])] })}
        >
          Move again
        </TextButton>
      )}
    </li>
  );
}

function ServerLine({
  server: { name, scope, moved, lost, shadowed, shadowedBy },
}: {
  readonly server: FoundServer;
}) {
  const place = ownerWords(scope);
  return (
    <span className="grid grid-cols-[minmax(0,2fr)_minmax(0,4fr)_minmax(0,3fr)] items-baseline gap-12">
      <span className="truncate" data-tip={name} data-tip-if-cut>
        {name}
      </span>
      <span className="truncate block text-12 text-dim" data-tip={place} data-tip-if-cut>
        {place}
      </span>
      <span className={lost ? 'text-12 text-backoff' : 'truncate block text-12 text-dim'}>
        {moved && 'Through the panel'}
        {lost && 'Overwritten or removed since'}
        {shadowed && !moved && !lost && `Another wins: ${ownerWords(shadowedBy ?? 'in another place')}`}
      </span>
    </span>
  );
}

/** Shows whether the program has connected to the panel since the move, and what the user must do so that it connects. */
function Arrival({ program }: { readonly program: FoundClient }) {
  const { programs } = useServices();
  const clients = useClients((state) => state.clients);
  const changedAt = useStore(programs.state, (state) => state.changedAt.get(program.id));
  const words = useNow((now) => arrivalWords(program, clients ?? [], changedAt, now));
  if (words === undefined || clients === undefined) return null;
  return <p className="text-12 text-dim">{words}</p>;
}
