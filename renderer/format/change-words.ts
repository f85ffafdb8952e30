import { formatCount } from './figures.ts';

/** Factor from which a change is told as a factor. */
const MANY_TIMES = 3;

/** Change against the time before: `▲ 18 %`, `▼ 5 %`, `▲ 6×`; undefined where that is not known. */
export function changeWords(now: number, before: number | undefined): string | undefined {
  if (before === undefined) return undefined;
  if (before === 0) return now === 0 ? '=' : 'new';
  const factor = now / before;
  if (factor >= MANY_TIMES) return `▲ ${formatCount(factor)}×`;
  const change = Math.round((factor - 1) * 100);
  return change === 0 ? '=' : `${change > 0 ? '▲' : '▼'} ${Math.abs(change)} %`;
}
