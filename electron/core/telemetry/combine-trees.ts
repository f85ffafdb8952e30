import type { Sample } from '../../../shared/domain.ts';
import { sumOf, treeMemoryBytes, treeSharedBytes } from './tree-facts.ts';
import type { TreeSample } from './tree-sample.ts';

/** Combines the samples of several process trees of one server into one. Memory shared by all counts once. */
export function combineTrees(trees: readonly [TreeSample, ...TreeSample[]]): Sample {
  const [first, ...others] = trees;
  if (others.length === 0) return first.sample;
  const samples = trees.map(({ sample }) => sample);
  const readings = trees.flatMap((tree) => tree.readings);
  return {
    at: Math.max(...samples.map(({ at }) => at)),
    ...ifKnown('memoryBytes', treeMemoryBytes(readings)),
    ...ifKnown('sharedMemoryBytes', treeSharedBytes(readings)),
    ...ifKnown('cpuPercent', sumOf(samples.map(({ cpuPercent }) => cpuPercent))),
    ...ifKnown('openFiles', sumOf(samples.map(({ openFiles }) => openFiles))),
    processCount: samples.reduce((sum, { processCount }) => sum + processCount, 0),
  };
}

function ifKnown<K extends string>(key: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, number>>);
}
