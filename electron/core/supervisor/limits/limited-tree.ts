import type { ProcessReading } from '../../platform/process-table.ts';
import { wrapperOfCommand, wrapperOfProcess } from '../../platform/wrapper-programs.ts';
import { treeMemoryBytes } from '../../platform/tree-memory.ts';
import { largestOf } from '../../telemetry/tree-facts.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import type { PackageRun } from '../../../../shared/package-run.ts';
import type { LimitSample } from './limit-guard.ts';

/**
 * Returns the values to which the limits apply. The memory of a package runner (such as npx) that only waits for its child is
 * left out, because what npm keeps in memory after a big install does not belong to the server.
 * @param installs how the server's command line uses a package runner, if it does; the runner is then the root of the process
 * tree
 */
export function limitSampleOf(tree: TreeSample, installs?: PackageRun): LimitSample {
  const { sample, facts, readings, isContainer } = tree;
  if (isContainer) return { memoryBytes: sample.memoryBytes, cpuPercent: sample.cpuPercent };
  const parents = new Set(readings.map(({ ppid }) => ppid));
  const own = ownRunner(readings, installs);
  const isWaiting = (reading: ProcessReading) =>
    parents.has(reading.pid) &&
    (reading === own || wrapperOfProcess(reading.command)?.kind === 'package runner');
  const judged = readings.filter((reading) => !isWaiting(reading));
  const isWhole = judged.length === readings.length;
  return {
    memoryBytes: isWhole ? sample.memoryBytes : treeMemoryBytes(judged),
    cpuPercent: sample.cpuPercent,
    largestProcess: isWhole ? facts.largest : largestOf(judged),
    maxOpenFiles: facts.mostOpenFiles,
  };
}

/** Finds the package runner's process in the command line, even if the process has another name; undefined if there is none. */
function ownRunner(
  readings: readonly ProcessReading[],
  installs: PackageRun | undefined,
): ProcessReading | undefined {
  const [runner = ''] = installs?.runner.split(' ') ?? [];
  const [root] = readings;
  const isGone = wrapperOfCommand(runner)?.mayBecomeIt ?? true;
  if (root === undefined || isGone) return undefined;
  // On Windows a runner is a script, so it is a child of the shell that runs it.
  return wrapperOfProcess(root.command)?.kind === 'shell'
    ? readings.find(({ ppid }) => ppid === root.pid)
    : root;
}
