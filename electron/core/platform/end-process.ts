import type { Clock } from '../clock.ts';
import { holdsWithin } from '../wait.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';
import type { Signaller, StopSignal } from './signals.ts';

export interface EndProcessDeps {
  readonly table: Pick<ProcessTable, 'identify' | 'identifySync'>;
  readonly signaller: Pick<Signaller, 'signalProcess'>;
  readonly clock: Clock;
}

/** Milliseconds that a process gets to end after SIGTERM, and after SIGKILL. */
export interface EndGraces {
  readonly stopGraceMs: number;
  readonly killGraceMs: number;
}

const POLL_MS = 20;

/**
 * Ends one process and none of its children: SIGTERM, then SIGKILL. Compares the start time before each signal, because the
 * kernel reuses the pid of an ended process. @returns whether the process is gone; true also when it was gone before the call
 */
export async function endProcess(
  { table, signaller, clock }: EndProcessDeps,
  { pid, startTime }: ProcessIdentity,
  { stopGraceMs, killGraceMs }: EndGraces,
): Promise<boolean> {
  const isGone = async () => {
    const found = table.identifySync ? table.identifySync(pid) : await table.identify(pid);
    return found?.startTime !== startTime;
  };
  const isEndedBy = async (signal: StopSignal, limitMs: number) => {
    if (await isGone()) return true;
    await signaller.signalProcess(pid, signal);
    return holdsWithin(clock, isGone, { limitMs, intervalMs: POLL_MS });
  };
  return (await isEndedBy('SIGTERM', stopGraceMs)) || (await isEndedBy('SIGKILL', killGraceMs));
}
