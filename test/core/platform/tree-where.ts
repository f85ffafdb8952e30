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
