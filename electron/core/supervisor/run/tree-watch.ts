import type { Clock, Disposable } from '../../clock.ts';
import type { ProcessTable } from '../../platform/process-table.ts';
import { sampleTree, type TreeMemory, type TreeSample } from '../../telemetry/tree-sample.ts';

export interface TreeWatchOptions {
  readonly clock: Clock;
  readonly table: Pick<ProcessTable, 'readTrees' | 'leastIntervalMs'>;
  /** Returns the pid of the tree's root; undefined once the root has ended. */
  readonly pid: () => number | undefined;
  readonly onLook: (tree: TreeSample) => void;
}

const LOOK_MS = 1000;

/** Samples a tree that telemetry does not know, every second at most. Dispose it before the run ends. */
export function watchTree({ clock, table, pid, onLook }: TreeWatchOptions): Disposable {
  let isDisposed = false;
  let memory: TreeMemory | undefined;
  const intervalMs = () => Math.max(LOOK_MS, table.leastIntervalMs ?? 0);
  const look = async () => {
    const root = pid();
    // A failed sample says nothing about the run; the next one may succeed.
    const trees = root === undefined ? undefined : await table.readTrees([root]).catch(() => undefined);
    if (isDisposed) return;
    const readings = root === undefined ? undefined : trees?.get(root);
    if (readings !== undefined && readings.length > 0) {
      const now = clock.now();
      const look = sampleTree(memory, readings, { epochMs: now, nowMs: now });
      memory = look.memory;
      onLook(look.tree);
    }
    timer = clock.setTimeout(() => void look(), intervalMs());
  };
  let timer = clock.setTimeout(() => void look(), intervalMs());
  return {
    dispose: () => {
      isDisposed = true;
      timer.dispose();
    },
  };
}
