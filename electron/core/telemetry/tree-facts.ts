import type { ProcessReading } from '../platform/process-table.ts';
import { isClientOfOutOfReach } from '../platform/out-of-reach.ts';
import { memoryOf } from '../platform/tree-memory.ts';
import { wrapperOfProcess } from '../platform/wrapper-programs.ts';

/** Process that is named in the message when a limit is exceeded, because its figure is the highest. */
export interface NamedFigure {
  readonly pid: number;
  readonly command: string;
}

/**
 * Server process (the one that should read and answer messages), found stopped by a sample. It has not run since this sample if
 * later samples return the same values.
 */
export interface StoppedServer extends Pick<
  ProcessReading,
  'pid' | 'startTime' | 'cpuTimeMs' | 'contextSwitches'
> {
  /** Defined if a container engine paused the process; undefined if a signal stopped it. */
  readonly by?: 'engine';
}

/** Facts about one process tree, in addition to its sample, for limits, liveness and the server's page. */
export interface TreeFacts {
  /** Process with the most memory, private and shared. */
  readonly largest?: NamedFigure & { readonly memoryBytes: number };
  readonly mostOpenFiles?: NamedFigure & { readonly openFiles: number };
  /** Server process, if it is stopped by a signal or in a paused container. */
  readonly stoppedServer?: StoppedServer;
  /** Whether the server cannot answer for an accepted reason: a debugger stopped it, or it runs elsewhere, out of reach. */
  readonly isHeld?: true;
  /** Whether the tree has a client of a container engine or another machine, so that the actual work is not visible in it. */
  readonly reachesOut?: boolean;
  /** Whether some process runs, waits for a processor, or waits for a disk. */
  readonly isAtWork?: boolean;
  /** Number of processes that were not in the previous sample. */
  readonly newProcesses: number;
  /** CPU time used since the previous sample, in ms. */
  readonly usedCpuMs?: number;
  /** Bytes that processes in both samples wrote since the previous one; undefined in the first sample or if unreadable. */
  readonly writtenBytes?: number;
}

/** @param previous readings of the previous sample, by pid; undefined in the first sample of the tree */
export function collectFacts(
  readings: readonly ProcessReading[],
  previous: ReadonlyMap<number, ProcessReading> | undefined,
): Omit<TreeFacts, 'usedCpuMs'> {
  const largest = largestOf(readings);
  const mostOpenFiles = maxBy(readings, ({ openFiles }) => openFiles);
  const writtenBytes = previous && countWritten(readings, previous);
  const server = standingServer(readings);
  return {
    ...(largest && { largest }),
    ...(mostOpenFiles && {
      mostOpenFiles: { ...nameOf(mostOpenFiles.reading), openFiles: mostOpenFiles.value },
    }),
    ...(server?.isStopped === true && { stoppedServer: stoppedAs(server) }),
    ...(server?.isHeld === true && { isHeld: true as const }),
    ...(readings.some(({ command }) => isClientOfOutOfReach(command)) && { reachesOut: true as const }),
    ...(readings.some(({ isAtWork }) => isAtWork) && { isAtWork: true }),
    newProcesses: readings.filter(({ pid, startTime }) => previous?.get(pid)?.startTime !== startTime).length,
    ...(writtenBytes === undefined ? {} : { writtenBytes }),
  };
}

/** Process with the most memory; undefined if no memory could be read. */
export function largestOf(readings: readonly ProcessReading[]): TreeFacts['largest'] {
  const found = maxBy(readings, memoryOf);
  return found && { ...nameOf(found.reading), memoryBytes: found.value };
}

/** Returns the server process, but only if some process is stopped, because it is not needed otherwise. */
function standingServer(readings: readonly ProcessReading[]): ProcessReading | undefined {
  if (!readings.some(({ isStopped, isHeld }) => isStopped || isHeld)) return undefined;
  const holders = readings.some(({ holdsPipes }) => holdsPipes !== undefined)
    ? readings.filter(({ holdsPipes }) => holdsPipes)
    : likelyHolders(readings);
  return serverProcess(holders);
}

/**
 * Returns the topmost process that has the panel's pipes open and does not pass them on; a child that inherited the pipes is
 * not the one that answers. If all of them are wrappers, returns the last of the chain, because a server may be a shell script.
 */
function serverProcess(holders: readonly ProcessReading[]): ProcessReading | undefined {
  const last = holders.find(({ pid }) => !holders.some(({ ppid }) => ppid === pid));
  return holders.find(({ command }) => !passesPipesOn(command)) ?? last;
}

function stoppedAs({ pid, startTime, cpuTimeMs, contextSwitches }: ProcessReading): StoppedServer {
  return { pid, startTime, cpuTimeMs, ...(contextSwitches !== undefined && { contextSwitches }) };
}

/**
 * True for a wrapper such as `npx` or `sh`, which passes the pipes on to its child and never answers itself. The client of a
 * container engine does not count as a wrapper here, because it relays every answer.
 */
function passesPipesOn(command: string): boolean {
  const wrapper = wrapperOfProcess(command);
  return wrapper !== undefined && wrapper.kind !== 'container engine';
}

/** Returns the probable holders of the pipes if the system does not report them: the root, and children of wrappers. */
function likelyHolders(readings: readonly ProcessReading[]): readonly ProcessReading[] {
  const holders = new Map<number, ProcessReading>();
  for (const reading of readings) {
    const parent = holders.get(reading.ppid);
    const isRoot = holders.size === 0;
    if (isRoot || (parent !== undefined && passesPipesOn(parent.command))) holders.set(reading.pid, reading);
  }
  return [...holders.values()];
}

/** Sum of the known values; undefined if there are none. */
export function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

function countWritten(
  readings: readonly ProcessReading[],
  previous: ReadonlyMap<number, ProcessReading>,
): number | undefined {
  return sumOf(
    readings.map((reading) => {
      const before = previous.get(reading.pid);
      if (before?.startTime !== reading.startTime || before.writtenBytes === undefined) return undefined;
      return reading.writtenBytes && Math.max(0, reading.writtenBytes - before.writtenBytes);
    }),
  );
}

function nameOf({ pid, command }: ProcessReading): NamedFigure {
  return { pid, command };
}

function maxBy(
  readings: readonly ProcessReading[],
  valueOf: (reading: ProcessReading) => number | undefined,
): { readonly reading: ProcessReading; readonly value: number } | undefined {
  let best: { readonly reading: ProcessReading; readonly value: number } | undefined;
  for (const reading of readings) {
    const value = valueOf(reading);
    if (value !== undefined && (best === undefined || value > best.value)) best = { reading, value };
  }
  return best;
}
