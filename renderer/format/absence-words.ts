import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { formatPlural } from './figures.ts';

/** Kinds of events to mention when the user returns, most severe first. A crash counts with the restart that follows it. */
const noteworthy: readonly (readonly [EventKind, string])[] = [
  ['gave-up', 'failure'],
  ['restarted', 'restart'],
  ['config-rejected', 'refused configuration'],
];

/** Text on the events since an instant: "1 failure, 3 restarts"; empty if there are none of these kinds. */
export function describeAbsence(events: readonly PanelEvent[], sinceMs: number): string {
  const recent = events.filter((event) => event.at >= sinceMs);
  const counts = noteworthy.map(([kind, noun]) => {
    const count = recent.filter((event) => event.kind === kind).length;
    return count === 0 ? undefined : formatPlural(count, noun);
  });
  return counts.filter((words) => words !== undefined).join(', ');
}
