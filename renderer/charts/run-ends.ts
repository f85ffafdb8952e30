import type { EventKind, PanelEvent, Sample } from '../../shared/domain.ts';
import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';

/**
 * Events after which a run of a server has no process left. A run is the time between a server's start and its end. A stall or
 * an exceeded limit does not end a run.
 */
const endingKinds: readonly EventKind[] = [
  'crashed',
  'ended',
  'stopped',
  'slept',
  'start-failed',
  'restart-scheduled',
  'gave-up',
  'panel-started',
];
/** Events that may break a curve, for a query of all servers' events. */
export const breakingKinds: readonly EventKind[] = [...endingKinds, 'restarted', 'system-resumed'];

/**
 * Returns the instants at which a server's runs or processes ended; empty if the buckets are longer than one sampling interval.
 */
export function endsIn(reply: SeriesReply, server: string, events: readonly PanelEvent[]): readonly number[] {
  // Longer buckets usually contain both the end of a run and the start of the next, so no gaps are drawn there.
  if (reply.resolution !== 'sample') return [];
  const own = events.filter(({ server: of }) => of === server || of === null);
  return [...runEndsOf(own, reply.stepMs), ...processEndsIn(reply, server)];
}

/**
 * Returns the instants at which a server's runs ended, according to its events. A sample at or before such an instant belongs
 * to the run that ended. Events of replicas are ignored, because their figures are added to those of the server, whose curve
 * continues without them.
 */
export function runEndsOf(events: readonly PanelEvent[], stepMs = 0): readonly number[] {
  // The event of a restart by the user is reported only when the new process is ready. It is usable only with long buckets, in
  // which it falls into the bucket in which the old process ended.
  const isEnd = (kind: EventKind) => endingKinds.includes(kind) || (kind === 'restarted' && stepMs >= 5000);
  return events.flatMap(({ kind, at, detail }) => (isEnd(kind) && detail.instance === undefined ? [at] : []));
}

/**
 * Returns the instants at which processes ended, from buckets of one sample each. A bucket without a CPU value marks a new
 * process, because only the first sample of a process has none.
 */
function processEndsIn({ from, stepMs, series }: SeriesReply, server: string): readonly number[] {
  const bucketsOf = (metric: HistoryMetric) =>
    series.find((one) => one.server === server && one.metric === metric)?.index ?? [];
  const withCpu = new Set(bucketsOf('cpuPercent'));
  return bucketsOf('memoryBytes').flatMap((bucket, place, all) => {
    const before = all[place - 1];
    return before !== undefined && withCpu.has(before) && !withCpu.has(bucket)
      ? [from + before * stepMs]
      : [];
  });
}

/**
 * Returns the instants of the last sample of each process except the newest. Events do not suffice because a restart by the
 * user is reported only when the new process is ready. A sample without CPU is the first of its process, because there is no
 * earlier sample to compare it with.
 */
export function processEndsOf(samples: readonly Sample[]): readonly number[] {
  return samples.flatMap((sample, position) => {
    const before = samples[position - 1];
    return before !== undefined && isFirstLook(sample, before) ? [before.at] : [];
  });
}

const isFirstLook = (sample: Sample, before: Sample): boolean =>
  sample.memoryBytes !== undefined && sample.cpuPercent === undefined && before.cpuPercent !== undefined;
