import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import type { ProcessReading, ProcessTable } from '../../../electron/core/platform/process-table.ts';

export type Tree = readonly ProcessReading[];

/** Tree of `pid` as soon as `check` holds for it. */
export async function treeWhere(
  table: ProcessTable,
  pid: number,
  check: (tree: Tree) => boolean,
): Promise<Tree> {
  const endMs = performance.now() + 10_000;
  for (;;) {
    const tree = (await table.readTrees([pid])).get(pid) ?? [];
    if (check(tree)) return tree;
    if (performance.now() > endMs) throw new Error(`the tree stayed ${JSON.stringify(tree)}`);
  }
}

/** Starts a shell with children in a group of its own, which ends with the test. @param script says so when they are there */
export async function startTree(script: string): Promise<number> {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(async () => {
    const exit = once(child, 'exit');
    process.kill(-child.pid!, 'SIGKILL');
    await exit;
  });
  await once(child.stdout, 'data');
  return child.pid!;
}
