import { TITLE_PX } from '../usage/stack-place.ts';
import type { CompareChart } from './comparison.ts';

/** Room for the labels of six lines, together with the title. */
const LEAST_PX = 78;

/** Heights of the charts within a room: those that are always shown get more of it, because they are asked about first. */
export function heightsOf(charts: readonly CompareChart[], roomPx: number): readonly number[] {
  const weights = charts.map(({ figure }) => (figure.isAlwaysShown ? 3 : 2));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const free = roomPx - charts.length * TITLE_PX;
  return weights.map((weight) => Math.max(LEAST_PX, Math.floor((free * weight) / sum)));
}
