import type { PanelEvent } from '../../../shared/domain.ts';
import type { EndCause, RestartStory, StoryQuery } from '../../../shared/restart-story.ts';
import { mapInTurns } from '../map-in-turns.ts';
import { nextTurn } from '../next-turn.ts';
import { patternsOf } from './patterns.ts';
import { readRuns } from './run-ends.ts';
import { calledAt, tellEnd } from './tell-end.ts';

export interface StoryEvents {
  /** Events of the server, and events that concern no particular server, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Part of the requested time span for which all events were read. */
  readonly covered: RestartStory['covered'];
}

/** Estimated work to describe one end of a run, in the unit that `mapInTurns` uses (characters of text). */
const WORK_PER_END = 512;

/** Causes of ends that a user or client requested, or that result from the end of the panel. */
const wanted: ReadonlySet<EndCause> = new Set(['request', 'configuration', 'session', 'panel-quit']);

/**
 * Computes the ends of a server's runs and the patterns that they share, in chunks over several event-loop ticks.
 * @param minuteOfDay minutes since midnight in the machine's time zone
 */
export async function restartStory(
  { before, limit, isTroubleOnly }: Pick<StoryQuery, 'before' | 'limit' | 'isTroubleOnly'>,
  { events, covered }: StoryEvents,
  minuteOfDay: (at: number) => number,
): Promise<RestartStory> {
  const { ends, up } = readRuns(events);
  const called = new Map(
    await mapInTurns(
      ends,
      () => WORK_PER_END,
      (end) => [end, calledAt(end)] as const,
    ),
  );
  const troubles = ends.filter(({ cause }) => !wanted.has(cause));
  const asked = isTroubleOnly === true ? troubles : ends;
  const next = before === undefined ? -1 : asked.findIndex(({ id }) => id === before);
  const until = next === -1 ? asked.length : next;
  const from = Math.max(0, until - limit);
  const patterns = [
    ...patternsOf(ends, {
      up,
      now: covered.to,
      minuteOfDay,
      calledAt: (end) => called.get(end) ?? calledAt(end),
    }),
  ];
  await nextTurn();
  return {
    ends: asked.slice(from, until).map(tellEnd).toReversed(),
    total: ends.length,
    troubles: troubles.length,
    hasMore: from > 0,
    patterns,
    covered,
  };
}
