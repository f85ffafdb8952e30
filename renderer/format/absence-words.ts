import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { formatPlural } from './figures.ts';

/** Events worth telling after an absence, worst first. A crash shows in the restart that follows it. */
const noteworthy: readonly (readonly [EventKind, string])[] = [
  ['gave-up', 'failure'],
  ['restarted', 'restart'],
  ['config-rejected', 'refused configuration'],
];

/** Words on what happened since an instant: "1 failure, 3 restarts"; empty when nothing of note did. */
export function describeAbsence(events: readonly PanelEvent[], sinceMs: number): string {
  const recent = events.filter((event) => event.at >= sinceMs);
  const counts = noteworthy.map(([kind, noun]) => {
    const count = recent.filter((event) => event.kind === kind).length;
    return count === 0 ? undefined : formatPlural(count, noun);
  });
  return counts.filter((words) => words !== undefined).join(', ');
}
