import { createContext } from 'react';
import type { Sample } from '../../shared/domain.ts';
import { figures, type ChartFigure } from './figures.ts';
import { sparkSpanMs } from './sparkline-path.ts';

/** Scale that all sparklines (miniature curves) and cells of a server list share, so that servers can be compared. */
export interface ListScale {
  /** Top of the sparklines: memory in bytes, CPU in percent. */
  readonly top: Readonly<Record<ScaledFigure, number>>;
  /** Sum of the current values of all listed servers. */
  readonly total: Readonly<Record<ScaledFigure, number>>;
  /** Time span that all sparklines show, in ms. */
  readonly spanMs: number;
}

const scaledFigures = ['memory', 'cpu'] as const;
export type ScaledFigure = (typeof scaledFigures)[number];

/** Shared scale; undefined outside a list, where each sparkline has its own scale. */
export const ListScaleContext = createContext<ListScale | undefined>(undefined);

export const scaledFigureOf: Readonly<Record<ScaledFigure, ChartFigure>> = {
  memory: figures.memoryBytes,
  cpu: figures.cpuPercent,
};

/**
 * Returns the shared scale for a list of servers: the highest value and the longest time span of any server's curve up to
 * `endAt`, and the sum of the current values.
 */
export function listScale(
  servers: readonly { readonly name: string; readonly sample?: Sample | undefined }[],
  curveOf: (name: string) => readonly Sample[],
  endAt: number,
): ListScale {
  const top = { memory: 0, cpu: 0 };
  const total = { memory: 0, cpu: 0 };
  let oldestAt = endAt;
  for (const { name, sample } of servers) {
    const curve = curveOf(name);
    oldestAt = Math.min(oldestAt, curve[0]?.at ?? endAt);
    for (const figure of scaledFigures) {
      const { metric } = scaledFigureOf[figure];
      // A loop is used because `Math.max(...curve)` fails if the curve has too many samples to pass as arguments.
      for (const one of curve) top[figure] = Math.max(top[figure], one[metric] ?? 0);
      total[figure] += sample?.[metric] ?? 0;
    }
  }
  return { top, total, spanMs: sparkSpanMs(oldestAt, endAt) };
}

/**
 * Returns a server's share of the total, from 0 to 1. It is rounded to steps of a fiftieth, so that a list cell is not
 * repainted for changes that are too small to see.
 */
export function shareOf(
  scale: ListScale | undefined,
  figure: ScaledFigure,
  value: number | undefined,
): number {
  if (scale === undefined || value === undefined) return 0;
  const share = value / Math.max(scale.total[figure], scaledFigureOf[figure].leastTop, value);
  return Math.round(share * 50) / 50;
}
