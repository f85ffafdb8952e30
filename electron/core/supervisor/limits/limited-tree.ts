import type { ProcessReading } from '../../platform/process-table.ts';
import { wrapperOfCommand, wrapperOfProcess } from '../../platform/wrapper-programs.ts';
import { largestOf, treeMemoryBytes } from '../../telemetry/tree-facts.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import type { PackageRun } from '../../../../shared/package-run.ts';
import type { LimitSample } from './limit-monitor.ts';

/**
 * What the limits are held against. The memory that npm keeps after a big install is not the server's, so a runner that
 * only waits for its child is left out; everything else counts as it is.
 * @param installs what the entry's own command line installs; the runner then is at the root of the tree
 */
export function limitSampleOf({ sample, facts, readings }: TreeSample, installs?: PackageRun): LimitSample {
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

/** The process that the entry's command line says is a runner, whatever it calls itself. */
function ownRunner(
  readings: readonly ProcessReading[],
  installs: PackageRun | undefined,
): ProcessReading | undefined {
  const [runner = ''] = installs?.runner.split(' ') ?? [];
  const [root] = readings;
  const isGone = wrapperOfCommand(runner)?.mayBecomeIt ?? true;
  if (root === undefined || isGone) return undefined;
  // On Windows a runner is a script, and stands below what runs that.
  return wrapperOfProcess(root.command)?.kind === 'shell'
    ? readings.find(({ ppid }) => ppid === root.pid)
    : root;
}
