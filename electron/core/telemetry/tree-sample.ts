import type { Sample } from '../../../shared/domain.ts';
import type { ProcessReading } from '../platform/process-table.ts';
import { addLook, type CpuAccount } from './cpu-account.ts';
import { collectFacts, sumOf, treeMemoryBytes, treeSharedBytes, type TreeFacts } from './tree-facts.ts';

/** Sample of the process tree of one server. */
export interface TreeSample {
  readonly sample: Sample;
  readonly facts: TreeFacts;
  /** Readings, root first, parents before children. */
  readonly readings: readonly ProcessReading[];
}

/** State that a sample leaves for the next one of the same tree. */
export interface TreeMemory {
  readonly account: CpuAccount;
  /** Begin of the running CPU window, and the time used in it. A window that is too short gives no percentage. */
  readonly windowStartMs: number;
  readonly windowUsedMs: number;
}

/** Time of a sample, on both clocks. */
export interface LookTime {
  readonly epochMs: number;
  readonly nowMs: number;
}

/** Shortest CPU window in ms. Systems count CPU time in steps of 10 ms, so over less one step would look like a busy core. */
const MIN_CPU_WINDOW_MS = 200;

/** @param memory state from the sample before of this tree; undefined in the first one. `readings` holds at least the root. */
export function sampleTree(
  memory: TreeMemory | undefined,
  readings: readonly ProcessReading[],
  time: LookTime,
): { readonly tree: TreeSample; readonly memory: TreeMemory } {
  const { account, usedMs } = addLook(memory?.account, readings);
  const window = advanceWindow(memory, usedMs, time.nowMs);
  const facts = collectFacts(readings, memory?.account.processes);
  const sample: Sample = {
    at: time.epochMs,
    ...ifKnown('memoryBytes', treeMemoryBytes(readings)),
    ...ifKnown('sharedMemoryBytes', treeSharedBytes(readings)),
    ...ifKnown('cpuPercent', window.cpuPercent),
    ...ifKnown('openFiles', sumOf(readings.map(({ openFiles }) => openFiles))),
    processCount: readings.length,
  };
  return {
    tree: { sample, facts: { ...facts, ...ifKnown('usedCpuMs', usedMs) }, readings },
    memory: { account, windowStartMs: window.startMs, windowUsedMs: window.usedMs },
  };
}

interface CpuWindow {
  readonly startMs: number;
  readonly usedMs: number;
  readonly cpuPercent?: number;
}

function advanceWindow(memory: TreeMemory | undefined, usedMs: number | undefined, nowMs: number): CpuWindow {
  if (memory === undefined || usedMs === undefined) return { startMs: nowMs, usedMs: 0 };
  const totalMs = memory.windowUsedMs + usedMs;
  const lengthMs = nowMs - memory.windowStartMs;
  if (lengthMs < MIN_CPU_WINDOW_MS) return { startMs: memory.windowStartMs, usedMs: totalMs };
  return { startMs: nowMs, usedMs: 0, cpuPercent: (totalMs / lengthMs) * 100 };
}

/** Omits the key of an unknown figure, instead of setting it to `undefined`. */
function ifKnown<K extends string>(name: K, value: number | undefined): { readonly [N in K]?: number } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [N in K]?: number });
}
