import type { EventKind, PanelEvent, Sample } from '../../shared/domain.ts';
import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';

/** Events after which no process of the run is left. A stall or a breach by itself may end nothing. */
const endingKinds: readonly EventKind[] = [
  'crashed',
  'ended',
  'stopped',
  'start-failed',
  'restart-scheduled',
  'gave-up',
  'panel-started',
];
/** Events that may break a curve, for a question about those of all servers. */
export const breakingKinds: readonly EventKind[] = [...endingKinds, 'restarted', 'system-resumed'];

/** Instants at which a run of a server ended, by events of any servers and by its buckets of single looks. */
export function endsIn(reply: SeriesReply, server: string, events: readonly PanelEvent[]): readonly number[] {
  // In longer buckets one run follows another within most of those where one ended.
  if (reply.resolution !== 'sample') return [];
  const own = events.filter(({ server: of }) => of === server || of === null);
  return [...runEndsOf(own, reply.stepMs), ...processEndsIn(reply, server)];
}

/**
 * Instants at which a run of a server ended, as its events tell; a sample at or before one belongs to that
 * run. Further instances have no curves of their own because their figures are summed up in the server's,
 * which goes on without them.
 */
export function runEndsOf(events: readonly PanelEvent[], stepMs = 0): readonly number[] {
  // A restart on demand is told only when the new process is ready, within the bucket that both share where these are long.
  const isEnd = (kind: EventKind) => endingKinds.includes(kind) || (kind === 'restarted' && stepMs >= 5000);
  return events.flatMap(({ kind, at, detail }) => (isEnd(kind) && detail.instance === undefined ? [at] : []));
}

/** The same of processes by buckets of single looks: the first look at a process, and no other, lacks CPU. */
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
