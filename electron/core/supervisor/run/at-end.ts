import type { Sample } from '../../../../shared/domain.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { CallInFlight } from '../../mcp/call-ledger.ts';

/** Figures of a run's last sample, and the run's limits. A figure is undefined if it could not be read. */
export interface InUse extends Omit<Sample, 'sharedMemoryBytes'> {
  readonly limits: Pick<PanelSettings['limits'], 'maxMemoryMiB' | 'maxCpuPercent' | 'maxOpenFiles'>;
}

/** State of a run when its end began, for events. */
export interface AtEnd {
  /** Oldest calls in flight, at most 50. */
  readonly calls: readonly CallInFlight[];
  /** Number of calls in flight; undefined if `calls` contains all of them. */
  readonly callsTotal?: number | undefined;
  /** Figures of the last sample; undefined for a remote server, and for a run that ended within a second. */
  readonly inUse?: InUse | undefined;
}

/** Maximum number of calls in an event, because an event is a line in a file and is sent to the app window. */
const MAX_CALLS = 50;

export function atEndOf(
  calls: readonly CallInFlight[],
  sample: Sample | undefined,
  { maxMemoryMiB, maxCpuPercent, maxOpenFiles }: PanelSettings['limits'],
): AtEnd {
  const limits = { maxMemoryMiB, maxCpuPercent, maxOpenFiles };
  return {
    calls: calls.slice(0, MAX_CALLS),
    callsTotal: calls.length > MAX_CALLS ? calls.length : undefined,
    inUse: sample && { ...withoutShared(sample), limits },
  };
}

const withoutShared = ({ sharedMemoryBytes: _, ...figures }: Sample): Sample => figures;
