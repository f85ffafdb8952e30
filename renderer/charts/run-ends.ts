import type { EventKind, PanelEvent, Sample } from '../../shared/domain.ts';

/** Events after which no process of the run is left. A stall or a breach by itself may end nothing. */
const endingKinds: ReadonlySet<EventKind> = new Set([
  'crashed',
  'ended',
  'stopped',
  'start-failed',
  'restart-scheduled',
  'gave-up',
  'panel-started',
]);

/**
 * Instants at which a run of a server ended, as its events tell; a sample at or before one belongs to that
 * run. Further instances have no curves of their own because their figures are summed up in the server's,
 * which goes on without them.
 */
export function runEndsOf(events: readonly PanelEvent[]): readonly number[] {
  return events.flatMap(({ kind, at, detail }) =>
    endingKinds.has(kind) && detail.instance === undefined ? [at] : [],
  );
}

/**
 * Instants of the last sample of each process but the newest. A restart on demand is one event, told only
 * when the new process is ready; the first sample of a process, and no other, lacks CPU because there is none
 * to compare with.
 */
export function processEndsOf(samples: readonly Sample[]): readonly number[] {
  return samples.flatMap((sample, position) => {
    const before = samples[position - 1];
    return before !== undefined && isFirstLook(sample, before) ? [before.at] : [];
  });
}

const isFirstLook = (sample: Sample, before: Sample): boolean =>
  sample.memoryBytes !== undefined && sample.cpuPercent === undefined && before.cpuPercent !== undefined;
