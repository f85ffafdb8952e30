import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerView } from '../../../shared/domain.ts';
import type { EventDetail } from '../../../shared/events.ts';
import { bringToLife, type LivedKind } from './live-kind.ts';
import type { KindsPanel, TimedEvent } from './kinds-panel.ts';
import type { OwnLoop } from './own-loop.ts';
import { THRESHOLD_MS, type Expectation, type Kind, type Shown } from './read-kinds.ts';

/** What the panel made of one kind. */
export interface Judged {
  readonly kind: Kind;
  /** What it did wrong; empty when it did all as it should. */
  readonly faults: readonly string[];
  /** What it said, in the order of its events. */
  readonly said: readonly string[];
}

/** Kinds of events that a healthy server never has. */
const CONVICTIONS = ['stalled', 'crashed', 'restarted', 'restart-scheduled', 'gave-up', 'force-killed'];
const POLL_MS = 50;
/** A verdict that is later than this after the end of a life is none about that life. */
const AFTERWARDS_MS = THRESHOLD_MS;

/** Lives the life of one kind, and compares. Never rejects. */
export async function judgeKind(bench: KindsPanel, kind: Kind, loop: OwnLoop): Promise<Judged> {
  let lived: LivedKind | undefined;
  const faults: string[] = [];
  let fromMs = performance.now();
  try {
    lived = await bringToLife(bench, kind);
    fromMs = performance.now();
    const seen = { bench, kind, lived, generation: viewOf(bench, kind).generation };
    const { expectation } = kind;
    if (expectation.is === 'healthy') faults.push(...(await judgeHealthy(seen, expectation)));
    else fromMs = await liveUntilHung(seen, faults);
    if (expectation.is === 'hung') faults.push(...(await judgeHung(seen, expectation, fromMs, loop)));
    if (expectation.is === 'shown') faults.push(...(await judgeShown(seen, expectation, fromMs, loop)));
  } catch (error) {
    faults.push(`the trial itself failed: ${String(error)}`);
  }
  const said = bench
    .eventsOf(kind)
    .filter(isVerdict)
    .map((event) => wordsOf(event, fromMs));
  await lived?.dispose().catch((error: unknown) => faults.push(`it did not end: ${String(error)}`));
  return { kind, faults, said };
}

interface Seen {
  readonly bench: KindsPanel;
  readonly kind: Kind;
  readonly lived: LivedKind;
  readonly generation: number;
}

async function judgeHealthy(
  { bench, kind, lived, generation }: Seen,
  { mayBeTold }: Extract<Expectation, { is: 'healthy' }>,
): Promise<readonly string[]> {
  for (const action of kind.life) await lived.act(action);
  const ends = await lived.callEnds();
  await sleep(AFTERWARDS_MS);
  await lived.act({ verb: 'call', text: 'log:1', ms: 0, hangs: false });
  const last = (await lived.callEnds()).slice(ends.length);
  const lost = [...ends, ...last].filter(
    ({ action, end }) => end !== (action.verb === 'late' ? 'REQUEST_TIMEOUT' : 'answered'),
  );
  const convicted = bench
    .eventsOf(kind)
    .filter((event) => CONVICTIONS.includes(event.kind) && !(mayBeTold && isOnlyTold(event)));
  const { state, generation: now } = viewOf(bench, kind);
  return [
    ...(convicted[0] ? ['convicted'] : []),
    ...lost.map(({ action, end }) => `${action.verb} ${action.text}: ${end}`),
    ...(now === generation ? [] : ['it was restarted']),
    ...(state.kind === 'running' ? [] : [`it is ${state.kind} at the end`]),
  ];
}

/** Resolves with the moment at which it hangs; what comes after that goes on meanwhile. */
async function liveUntilHung({ bench, kind, lived }: Seen, faults: string[]): Promise<number> {
  const hangs = kind.life.findIndex((action) => action.hangs);
  for (const action of kind.life.slice(0, hangs)) await lived.act(action);
  if (bench.eventsOf(kind).some((event) => CONVICTIONS.includes(event.kind)))
    faults.push('convicted before it hung');
  const hungAtMs = performance.now();
  const rest = async () => {
    for (const action of kind.life.slice(hangs)) await lived.act(action);
  };
  rest().catch((error: unknown) => faults.push(String(error)));
  return hungAtMs;
}

async function judgeHung(
  { bench, kind }: Seen,
  { withinMs, row }: Extract<Expectation, { is: 'hung' }>,
  hungAtMs: number,
  loop: OwnLoop,
): Promise<readonly string[]> {
  const isFound = () => bench.eventsOf(kind).some((event) => event.kind === 'stalled');
  const isInTime = await comesTrue(isFound, () => loop.dueAt(hungAtMs, withinMs));
  if (isInTime) return [];
  const limit = inThresholds(loop.dueAt(hungAtMs, withinMs) - hungAtMs);
  return [
    `not found within ${limit}, as row ${row} says (our own loop was late ${loop.countSince(hungAtMs)} times)`,
  ];
}

/** Facts cannot find it; then it is not convicted either, and the server's page says what is known. */
async function judgeShown(
  { bench, kind }: Seen,
  { what, withinMs }: Extract<Expectation, { is: 'shown' }>,
  hungAtMs: number,
  loop: OwnLoop,
): Promise<readonly string[]> {
  const shows = () => isShown(what, viewOf(bench, kind));
  if (!(await comesTrue(shows, () => loop.dueAt(hungAtMs, withinMs)))) return [`"${what}" is not shown`];
  const isConvicted = () => bench.eventsOf(kind).some((event) => CONVICTIONS.includes(event.kind));
  const until = performance.now() + 2 * THRESHOLD_MS;
  return (await comesTrue(isConvicted, () => until)) ? ['convicted, which facts do not allow'] : [];
}

function isShown(what: Shown, view: ServerView): boolean {
  if (what === 'health unknown') return view.health === 'unknown' && view.unansweredSince !== undefined;
  return 'overdue' in view && JSON.stringify(view.overdue).includes('answers-checks');
}

async function comesTrue(condition: () => boolean, untilMs: () => number): Promise<boolean> {
  while (!condition()) {
    if (performance.now() > untilMs()) return false;
    await sleep(POLL_MS);
  }
  return true;
}

const viewOf = (bench: KindsPanel, kind: Kind): ServerView =>
  bench.panel.getSnapshot().servers.find(({ name }) => name === bench.nameOf(kind))!;

/** Nothing is done about it. */
const isOnlyTold = ({ kind, detail }: TimedEvent): boolean =>
  kind === 'stalled' && detail.isEnding === undefined;

const isVerdict = ({ kind }: TimedEvent): boolean => kind === 'suspect' || CONVICTIONS.includes(kind);

const inThresholds = (ms: number): string => `${(ms / THRESHOLD_MS).toFixed(1)} T`;

/** `stalled by row 4 at 1.3 T ("no answer for 4 s")`. */
function wordsOf({ kind, detail, toldAtMs }: TimedEvent, fromMs: number): string {
  const { row, words: told }: EventDetail<'stalled'> = 'row' in detail ? detail : {};
  const by = row === undefined ? '' : ` by row ${JSON.stringify(row)}`;
  const words = told === undefined ? '' : ` (${JSON.stringify(told)})`;
  return `${kind}${by} at ${inThresholds(toldAtMs - fromMs)}${words}`;
}
