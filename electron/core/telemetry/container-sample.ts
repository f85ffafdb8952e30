import type { ContainerReading } from '../platform/containers/container-reading.ts';
import { advanceWindow, ifKnown, type CpuWindow, type LookTime, type TreeSample } from './tree-sample.ts';

/** State that a sample of a container leaves for the next one. */
export interface ContainerMemory {
  readonly reading: ContainerReading;
  readonly window: CpuWindow;
  /** Last CPU use; it stays while the engine tells nothing newer. */
  readonly cpuPercent?: number | undefined;
}

/**
 * Returns the sample of a server in a container: its figures instead of those of the engine's client, whose tree `client` is.
 * @param reading undefined while the engine does not tell the figures @param before state of the sample before
 */
export function sampleContainer(
  client: TreeSample,
  reading: ContainerReading | 'out-of-reach' | undefined,
  before: ContainerMemory | undefined,
  { epochMs: at }: LookTime,
): { readonly tree: TreeSample; readonly memory?: ContainerMemory } {
  if (reading === undefined || reading === 'out-of-reach') {
    const { processCount } = client.sample;
    // Who cannot be reached is not silent.
    const facts = reading === undefined ? client.facts : { ...client.facts, isHeld: true as const };
    return { tree: { ...client, sample: { at, processCount }, facts, isContainer: true } };
  }
  const usedCpuMs = usedBetween(before?.reading, reading);
  const window = advanceWindow(before?.window, usedCpuMs, reading.atMs);
  const cpuPercent = reading.cpuPercent ?? window.cpuPercent ?? before?.cpuPercent;
  const { newProcesses, isHeld, stoppedServer } = client.facts;
  const stopped = stoppedServer ?? (reading.isPaused ? pausedServer(client, reading) : undefined);
  return {
    memory: { reading, window, cpuPercent },
    tree: {
      sample: {
        at,
        ...ifKnown('memoryBytes', reading.memoryBytes),
        ...ifKnown('cpuPercent', cpuPercent),
        processCount: reading.processCount,
      },
      facts: {
        newProcesses,
        // Work without a CPU time is not seen.
        reachesOut: reading.cpuTimeMs === undefined,
        ...(isHeld && { isHeld }),
        ...(reading.isAtWork && { isAtWork: true }),
        ...(stopped && { stoppedServer: stopped }),
        ...ifKnown('usedCpuMs', usedCpuMs),
      },
      readings: client.readings,
      isContainer: true,
    },
  };
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
  const { pid = 0, startTime = '' } = client ?? {};
  return { pid, startTime, cpuTimeMs, by: 'engine' as const };
}
