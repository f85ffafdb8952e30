import type { PanelEvent } from '../../shared/domain.ts';
import type { CallRecord, Deed, SoakRecord } from './record.ts';

/** Something that must not be. */
export interface Finding {
  readonly kind:
    | 'wrong-verdict'
    | 'missed'
    | 'lost-event'
    | 'lost-call'
    | 'wrong-answer'
    | 'unexplained-error'
    | 'session-not-recovered'
    | 'deed-failed'
    | 'process-left'
    | 'growth';
  readonly at?: number;
  readonly words: string;
}

/** Kinds of events that nothing but a deed may cause. */
const GRAVE: ReadonlySet<string> = new Set([
  'stalled',
  'crashed',
  'limit-breached',
  'gave-up',
  'start-failed',
  'force-killed',
  'high-cpu',
  'config-rejected',
  'protocol-noise',
]);
/** An event may come a moment before the deed is noted, and a consequence a moment after its end. */
const BEFORE_MS = 1000;
const AFTER_MS = 3000;
/** Noise is counted for a while before it is told. */
const NOISE_TOLD_MS = 30_000;
/** How late an event may be on a machine that is not busy. */
const SLACK_MS = 3000;
/** What the panel had no time to write when it was killed. */
const UNWRITTEN_MS = 2000;
const STARTED_NEAR_MS = 3000;

/** Everything in the record that must not be. Pure. */
export function judge(record: SoakRecord): readonly Finding[] {
  const slackMs = SLACK_MS + 2 * record.latenessMs;
  return [
    ...wrongVerdicts(record),
    ...missedEvents(record, slackMs),
    ...lostEvents(record),
    ...record.calls.flatMap((call) => judgeCall(call, record, slackMs)),
    ...record.deeds.flatMap(({ kind, server, at, failure }): readonly Finding[] =>
      failure === undefined
        ? []
        : [{ kind: 'deed-failed', at, words: `${kind} of ${server ?? 'the panel'}: ${failure}` }],
    ),
    ...record.problems.map((words): Finding => ({ kind: 'process-left', words })),
  ];
}

/** Name of the server that an instance belongs to. */
const serverOf = (event: PanelEvent) => event.server?.split('#')[0] ?? null;

const concerns = (deed: Deed, server: string | null) =>
  deed.server === null || deed.server === '' || deed.server === server;

const lasts = (deed: Deed, from: number, to: number, afterMs: number) =>
  deed.at - BEFORE_MS <= to && (deed.until ?? Infinity) + afterMs >= from;

function wrongVerdicts({ events, deeds }: SoakRecord): readonly Finding[] {
  return events
    .filter((event) => GRAVE.has(event.kind) && event.server?.startsWith('guest-') !== true)
    .filter(
      (event) =>
        !deeds.some(
          (deed) =>
            concerns(deed, serverOf(event)) &&
            lasts(deed, event.at, event.at, event.kind === 'protocol-noise' ? NOISE_TOLD_MS : AFTER_MS) &&
            deed.justifies.includes(event.kind),
        ),
    )
    .map(({ at, kind, server, detail }) => ({
      kind: 'wrong-verdict',
      at,
      words: `${server ?? 'the panel'}: ${kind}, and nothing had been done to it: ${JSON.stringify(detail).slice(0, 400)}`,
    }));
}

function missedEvents({ events, deeds }: SoakRecord, slackMs: number): readonly Finding[] {
  return deeds.flatMap((deed): readonly Finding[] => {
    const { expects, at, kind, server } = deed;
    if (!expects || deed.isInterrupted === true || deed.failure !== undefined) return [];
    const dueAt = at + expects.withinMs + slackMs;
    const isConfig = expects.kind.startsWith('config-');
    const told = events.find(
      (event) =>
        event.kind === expects.kind &&
        (isConfig || serverOf(event) === server) &&
        event.at >= at - BEFORE_MS &&
        event.at <= dueAt,
    );
    if (told) return [];
    const late = events.find(
      (event) =>
        event.kind === expects.kind &&
        serverOf(event) === server &&
        event.at > dueAt &&
        event.at < dueAt + 120_000,
    );
    const words = late ? `came after ${late.at - at} ms` : 'never came';
    return [
      {
        kind: 'missed',
        at,
        words: `${kind} of ${server}: ${expects.kind} was due within ${expects.withinMs} ms and ${words}`,
      },
    ];
  });
}

/** Each server that came up, as the terminal tells, has to be in the journal. */
function lostEvents({ lines, events, deeds }: SoakRecord): readonly Finding[] {
  const kills = deeds.filter(({ kind }) => kind === 'kill -9 of the panel').map(({ at }) => at);
  const starts = events.filter(({ kind }) => kind === 'started' || kind === 'restarted');
  const used = new Set<string>();
  const before = new Map<string, string>();
  return lines.flatMap(({ at, server, state }): readonly Finding[] => {
    const last = before.get(server);
    before.set(server, state);
    if (state !== 'running' || last !== 'starting') return [];
    const start = starts.find(
      (event) => event.server === server && !used.has(event.id) && Math.abs(event.at - at) <= STARTED_NEAR_MS,
    );
    if (start) used.add(start.id);
    if (start || kills.some((killedAt) => killedAt >= at && killedAt - at < UNWRITTEN_MS)) return [];
    return [{ kind: 'lost-event', at, words: `${server} started, and the journal does not say so` }];
  });
}

function judgeCall(call: CallRecord, { deeds }: SoakRecord, slackMs: number): readonly Finding[] {
  const { end, client, server, tool, startedAt: at, endedAt, detail } = call;
  const words = `${tool} of ${client} at ${server}, after ${endedAt - at} ms: ${detail ?? end}`;
  if (end === 'answered') return [];
  if (end === 'lost') return [{ kind: 'lost-call', at, words }];
  if (end === 'wrong-answer') return [{ kind: 'wrong-answer', at, words }];
  if (end === 'session-gone') return [{ kind: 'session-not-recovered', at, words }];
  const isExplained = deeds.some(
    (deed) => deed.breaksCalls && concerns(deed, server) && lasts(deed, at, endedAt, slackMs),
  );
  return isExplained ? [] : [{ kind: 'unexplained-error', at, words }];
}
