import type { ProcessReading } from '../process-table.ts';
import type { ProcFiles } from './proc-files.ts';

/** Descriptors of standard input and output, whose pipes carry the protocol. */
const PROTOCOL_PIPES = [0, 1] as const;

/**
 * Marks which processes of a tree (root first) hold the root's standard input or output. Only for trees with a stopped or held
 * process, to know whether that one has to read and answer.
 */
export function markPipeHolders(
  files: ProcFiles,
  tree: readonly ProcessReading[],
): readonly ProcessReading[] {
  const [root] = tree;
  if (root === undefined || !tree.some(({ isStopped, isHeld }) => isStopped || isHeld)) return tree;
  const pipes = new Set(pipesOf(files, root.pid));
  if (pipes.size === 0) return tree;
  return tree.map((reading) => ({
    ...reading,
    holdsPipes: pipesOf(files, reading.pid).some((pipe) => pipes.has(pipe)),
  }));
}

function pipesOf(files: ProcFiles, pid: number): string[] {
  const links = PROTOCOL_PIPES.map((descriptor) => files.link(`${pid}/fd/${descriptor}`));
  return links.filter((link) => link !== undefined && /^(pipe|socket):/.test(link)) as string[];
}
