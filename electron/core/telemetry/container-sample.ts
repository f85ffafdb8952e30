import type { ContainerReading } from '../platform/containers/container-reading.ts';
import type { LookTime, TreeSample } from './tree-sample.ts';

/** Shortest time in ms over which CPU use is computed. */
const MIN_CPU_WINDOW_MS = 200;

/** State that a sample of a container leaves for the next one. */
export interface ContainerMemory {
  readonly reading: ContainerReading;
  /** Reading from which CPU use is computed next. */
  readonly from: ContainerReading;
  readonly cpuPercent?: number;
}

/**
 * Returns the sample of a server in a container: its figures instead of those of the engine's client, whose tree `client` is.
 * @param reading undefined while the engine does not tell the figures @param before state of the sample before
 */
export function sampleContainer(
  client: TreeSample,
  reading: ContainerReading | undefined,
  before: ContainerMemory | undefined,
  { epochMs: at }: LookTime,
): { readonly tree: TreeSample; readonly memory?: ContainerMemory } {
  if (reading === undefined) {
    const { processCount } = client.sample;
    return { tree: { ...client, sample: { at, processCount }, isContainer: true } };
  }
  const memory = advance(before, reading);
  const usedCpuMs = usedBetween(before?.reading, reading);
  const { newProcesses, isHeld, stoppedServer } = client.facts;
  const stopped = stoppedServer ?? (reading.isPaused ? pausedServer(client, reading) : undefined);
  return {
    memory,
    tree: {
      sample: {
        at,
        ...(reading.memoryBytes !== undefined && { memoryBytes: reading.memoryBytes }),
        ...(memory.cpuPercent !== undefined && { cpuPercent: memory.cpuPercent }),
        processCount: reading.processCount,
      },
      facts: {
        newProcesses,
        reachesOut: false,
        ...(isHeld && { isHeld }),
        ...(stopped && { stoppedServer: stopped }),
        ...(usedCpuMs !== undefined && { usedCpuMs }),
      },
      readings: client.readings,
      isContainer: true,
    },
  };
}

function advance(before: ContainerMemory | undefined, reading: ContainerReading): ContainerMemory {
  if (before === undefined) return { reading, from: reading };
  const lengthMs = reading.atMs - before.from.atMs;
  const usedMs = usedBetween(before.from, reading);
  if (usedMs === undefined || lengthMs < MIN_CPU_WINDOW_MS) return { ...before, reading };
  return { reading, from: reading, cpuPercent: (usedMs / lengthMs) * 100 };
}

function usedBetween(
  before: ContainerReading | undefined,
  { cpuTimeMs }: ContainerReading,
): number | undefined {
  return before?.cpuTimeMs === undefined || cpuTimeMs === undefined
    ? undefined
    : Math.max(0, cpuTimeMs - before.cpuTimeMs);
}

/** A paused container as the process that has to answer; its CPU time shows whether it has run since. */
function pausedServer({ readings: [client] }: TreeSample, { cpuTimeMs = 0 }: ContainerReading) {
  return client && { pid: client.pid, startTime: client.startTime, cpuTimeMs, by: 'engine' as const };
}
