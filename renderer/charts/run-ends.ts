import type { EventKind, PanelEvent, Sample } from '../../shared/domain.ts';
import { readText } from '../format/detail-fields.ts';

/** Once these are told, no process of the run is left. A stall or a breach by itself may end nothing. */
const endingKinds: ReadonlySet<EventKind> = new Set([
  'crashed',
  'stopped',
  'start-failed',
  'restart-scheduled',
  'gave-up',
  'panel-started',
]);

/**
 * The instants at which a run of a server was over, as its events tell; a sample at or before one is of that run.
 * Further instances have no curve of their own: their figures are summed up in the server's, which goes on without them.
 */
export function runEndsOf(events: readonly PanelEvent[]): readonly number[] {
  return events.flatMap(({ kind, at, detail }) =>
    endingKinds.has(kind) && readText(detail, 'instance') === undefined ? [at] : [],
  );
}

/**
 * The instants of the last look at each process but the newest. A restart on demand is one event, told only when the new
 * process is ready; but the first look at a process, and no other, has no CPU, for want of one to compare with.
 */
export function processEndsOf(samples: readonly Sample[]): readonly number[] {
  return samples.flatMap((sample, position) => {
    const before = samples[position - 1];
    return before !== undefined && isFirstLook(sample, before) ? [before.at] : [];
  });
}

const isFirstLook = (sample: Sample, before: Sample): boolean =>
  sample.memoryBytes !== undefined && sample.cpuPercent === undefined && before.cpuPercent !== undefined;
