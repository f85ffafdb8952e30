import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import {
  markOrder,
  markWords,
  needsAttention,
  shownMark,
  type ShownMark,
} from '../../shared/server-states.ts';
import {
  type Calm as CalmSince,
  calmWords,
  lastTrouble,
  restartWords,
  troubleKinds,
} from '../format/calm.ts';
import { UsageFigures, UsageTiles } from '../overview/usage-tiles.tsx';
import type { Folds } from './folds.ts';
import { usePast } from '../charts/use-past.ts';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { useNow, usePanel, useServices, useView } from '../services.ts';
import { StateShape } from '../ui/state-shape.tsx';
import { hrefOf } from '../store/route-store.ts';
import { formatCount, formatPlural } from '../format/figures.ts';

/**
 * Maximum number of run ends to request from the history. It is more than one, because the newest end may be due to a restart
 * by the user, which is no trouble.
 */
const TROUBLES_ASKED = 20;

/**
 * Header of the overview: a verdict on all servers in one sentence, what is wrong or since when nothing was wrong, and the
 * resource use as tiles or in one line.
 */
export function StatusBand({ look }: { readonly look: Folds['head'] }) {
  const hasServers = usePanel((state) => state.names.length > 0);
  if (look === 'line' && hasServers)
    return (
      <header className="flex items-center gap-12 flex-none h-42 px-16">
        <VerdictLine />
        <AbsenceNote />
        <UsageFigures />
      </header>
    );
  return (
    <header
      className={`grid items-center gap-8 flex-none px-16 py-12 ${hasServers ? 'grid-cols-[minmax(0,1.35fr)_repeat(3,minmax(0,1fr))]' : 'grid-cols-1'}`}
    >
      <Verdict hasServers={hasServers} />
      {hasServers && <UsageTiles />}
    </header>
  );
}

/** Summary of all servers and the text beside it, in one line. */
function VerdictLine() {
  const { shape, words, rest } = useVerdict();
  return (
    <div className="flex items-center gap-8 min-w-0 flex-1" role="status">
      {shape !== undefined && <StateShape kind={shape} />}
      <h1 className="flex-none line-clamp-1 text-16/24 font-semibold tracking-[-0.01em]">{words}</h1>
      {rest !== '' && <span className="block truncate text-12/16 text-faint">{rest}</span>}
    </div>
  );
}

function useVerdict() {
  const kinds = usePanel(useShallow(({ servers }) => [...servers.values()].map(shownMark)));
  return useMemo(() => summarizeServers(kinds), [kinds]);
}

function Verdict({ hasServers }: { readonly hasServers: boolean }) {
  const { shape, words, rest, isTroubled } = useVerdict();
  return (
    <div className="min-w-0 pr-8">
      {/* Screen readers announce a change of the verdict, because it is a status element. The lines below it are not
          announced, because they change every second. */}
      <div className="flex items-start gap-8 [&>svg]:mt-4" role="status">
        {shape !== undefined && <StateShape kind={shape} size={20} />}
        {/* Up to two lines, because a long verdict matters more than the content below it. */}
        <h1 className="line-clamp-2 page-title text-balance">{words}</h1>
      </div>
      {/* No details are given here, because the cards below the header show what is wrong. */}
      {isTroubled && rest !== '' && <p className="truncate text-12/16 text-faint">{rest}</p>}
      {/* Not shown while a server is in trouble or unstable. An unstable server was in trouble today, even if it is running
          now. */}
      {hasServers && !isTroubled && shape !== 'unstable' && <Calm />}
      <AbsenceNote />
    </div>
  );
}

/** Returns since when nothing has been wrong, from the loaded events or otherwise from the history of all app runs. */
function useCalm(events: readonly PanelEvent[]): CalmSince | undefined {
  const { past } = useServices();
  const here = useMemo(() => lastTrouble(events), [events]);
  const first = events[0]?.at;
  const question = useMemo(
    () =>
      here === undefined && first !== undefined
        ? { from: 0, to: first, kinds: [...troubleKinds], limit: TROUBLES_ASKED }
        : undefined,
    [here, first],
  );
  const { reply } = usePast(past.events, question, '');
  const before = useMemo(() => reply && lastTrouble(reply.events), [reply]);
  return here ?? before ?? (reply && first !== undefined ? { since: first } : undefined);
}

/** Text that says since when nothing was wrong, and a text with the number of restarts in the last hour. */
function Calm() {
  const events = usePanel((state) => state.events);
  const calm = useCalm(events);
  const since = useNow((now) => (calm === undefined ? '' : calmWords(calm, now)));
  const restarts = useNow((now) => restartWords(events, now));
  return (
    <>
      {since !== '' && (
        // In a wide window the text may take two lines, so that it is not truncated.
        <p
          className="truncate mt-2 text-dim min-[961px]:line-clamp-2 min-[961px]:whitespace-normal"
          data-tip={since}
          data-tip-if-cut
        >
          {since}
        </p>
      )}
      <p className="truncate text-12/16 text-faint">{restarts}</p>
    </>
  );
}

/** Note on what happened while the user was away from the app window. It links to the events; following the link removes it. */
function AbsenceNote() {
  const { view } = useServices();
  const since = useView((state) => state.awaySince);
  const words = usePanel((state) => (since === undefined ? '' : describeAbsence(state.events, since)));
  if (words === '') return null;
  return (
    <a
      className="block truncate text-12/16 text-dim underline underline-offset-3 decoration-strong-line hover:text-text"
      href={hrefOf({ view: 'activity' })}
      onClick={() => view.setState({ awaySince: undefined })}
    >
      Since you last looked: {words}
    </a>
  );
}

/** Kinds of events in the note, most severe first. Crashes are not listed, as the restart that follows counts them. */
const noteworthy: readonly (readonly [EventKind, string])[] = [
  ['gave-up', 'failure'],
  ['restarted', 'restart'],
  ['config-rejected', 'refused configuration'],
];

/** Text on the events since a given time: "1 failure, 3 restarts". Empty if there are no events of these kinds. */
export function describeAbsence(events: readonly PanelEvent[], sinceMs: number): string {
  const recent = events.filter((event) => event.at >= sinceMs);
  const counts = noteworthy.map(([kind, noun]) => {
    const count = recent.filter((event) => event.kind === kind).length;
    return count === 0 ? undefined : formatPlural(count, noun);
  });
  return counts.filter((words) => words !== undefined).join(', ');
}

interface ServersSummary {
  /** State whose glyph precedes the text: the worst state that needs attention, otherwise the best one present. */
  readonly shape: ShownMark | undefined;
  /** Text such as "All 7 fine", or "1 failed, 1 restarting". */
  readonly words: string;
  /** Remaining text, in a quieter colour: "5 fine, 1 stopped". Empty if `words` is complete. */
  readonly rest: string;
  /** Whether any server needs attention. */
  readonly isTroubled: boolean;
}

/** Summary of all servers, which shows whether any needs attention. */
export function summarizeServers(kinds: readonly ShownMark[]): ServersSummary {
  const counts = new Map<ShownMark, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const present = markOrder.filter((kind) => counts.has(kind));
  const worst = present[0];
  if (worst === undefined) return { shape: undefined, words: 'No servers', ...calmly };

  const say = (kind: ShownMark) => `${formatCount(counts.get(kind))} ${wordOf(kind)}`;
  const bad = present.filter(needsAttention).map(say);
  const calm = calmFirst.filter((kind) => counts.has(kind));
  // Unstable servers are not down, so the states that need no attention are named first.
  if (worst === 'unstable') return { shape: worst, words: [...calm.map(say), ...bad].join(', '), ...calmly };
  if (bad.length > 0)
    return { shape: worst, words: bad.join(', '), rest: calm.map(say).join(', '), isTroubled: true };
  if (calm.length > 1) return { shape: calm[0], words: calm.map(say).join(', '), ...calmly };
  const words =
    kinds.length === 1 ? stateWordAlone(worst) : `All ${formatCount(kinds.length)} ${wordOf(worst)}`;
  return { shape: worst, words, ...calmly };
}

const calmly = { rest: '', isTroubled: false } as const;

/** States that need no attention, in the order in which the summary names them, best first. */
const calmFirst: readonly ShownMark[] = ['running', 'asleep', 'stopped', 'starting', 'stopping'];

const wordOf = (kind: ShownMark): string => (kind === 'running' ? 'fine' : markWords[kind].toLowerCase());

const stateWordAlone = (kind: ShownMark): string => (kind === 'running' ? 'All fine' : `1 ${wordOf(kind)}`);
