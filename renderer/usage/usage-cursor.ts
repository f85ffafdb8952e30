import { figures } from '../charts/figures.ts';
import { rowAt } from '../charts/downsample.ts';
import { formatInstant } from '../format/moments.ts';
import { byMetric, usageMetrics, type UsageMetric } from './span-usage.ts';
import type { WindowUsage } from './use-span-usage.ts';

/** Start and length of the buckets that a chart shows, in ms. */
export interface CursorBuckets {
  readonly from: number;
  readonly stepMs: number;
}

/** Index of the bucket that contains a given time. */
export const stepOf = (at: number, { from, stepMs }: CursorBuckets): number =>
  Math.floor((at - from) / stepMs);

/** Time in the middle of a bucket. */
const middleOf = (step: number, { from, stepMs }: CursorBuckets): number => from + (step + 0.5) * stepMs;

/** Key of a band: the name of its server, or an empty string for the band of the other servers. */
export type BandKey = string;

export const bandKey = (server: string | undefined): BandKey => server ?? '';

/** Position of the cursor in the charts, stored as a time instead of a bucket index, because buckets move as time passes. */
export interface UsageCursor {
  readonly at: number;
  readonly band: BandKey | undefined;
}

/** Times at which the cursor can stop: the middle of every bucket with a value, oldest first. */
export const usageInstants = ({ of, reply }: WindowUsage): readonly number[] =>
  of.memoryBytes.stack.isKnown.flatMap((isKnown, step) =>
    isKnown || of.cpuPercent.stack.isKnown[step] === true ? [middleOf(step, reply)] : [],
  );

/**
 * Returns the key of the band after or before the given one. The order is from the largest band to the band of the other
 * servers, and then again from the start. Returns undefined if there are no bands.
 */
export function nextBand(band: BandKey | undefined, of: WindowUsage['of'], by: 1 | -1): BandKey | undefined {
  const keys = [
    ...new Set(usageMetrics.flatMap((metric) => of[metric].bands.map(({ server }) => bandKey(server)))),
  ];
  if (keys.length === 0) return undefined;
  const place = band === undefined ? (by === 1 ? -1 : 0) : keys.indexOf(band);
  return keys[(place + by + keys.length) % keys.length];
}

/** Texts for the values of a bucket: of all servers, and of one band if the chart has it. */
interface BucketFigures {
  readonly all: string;
  readonly band: string;
  /** Compared period: its name, and the use of all servers in it; undefined if no period is compared. */
  readonly compared: { readonly words: string; readonly all: string } | undefined;
}

/** Texts for the values at a cursor. In a gap, they say that nothing was measured. */
export function figuresAt(
  { at, band }: UsageCursor,
  { of, reply, compared }: WindowUsage,
): Readonly<Record<UsageMetric, BucketFigures>> {
  const step = stepOf(at, reply);
  return byMetric((metric) => {
    const { stack, figures: known } = of[metric];
    const { short: format } = figures[metric];
    const isKnown = stack.isKnown[step] === true;
    const others = stack.bands.find(({ server }) => server === undefined);
    const curve = compared?.[metric];
    const row = curve && rowAt(curve.rows, at, reply.stepMs);
    const own = band === undefined || band === '' ? others?.figures : known.get(band);
    return {
      all: format(isKnown ? stack.bands.reduce((sum, { figures }) => sum + figures[step]!, 0) : undefined),
      band: format(isKnown ? own?.[step] : undefined),
      compared: curve && { words: curve.words, all: format(row?.average ?? undefined) },
    };
  });
}

export const usageBandText = (band: BandKey): string => (band === '' ? 'Others' : band);

/** Text for screen readers that describes the charts at the cursor. */
export function usageTextAt(cursor: UsageCursor, usage: WindowUsage): string {
  const read = figuresAt(cursor, usage);
  const other = read.memoryBytes.compared?.words;
  const told = (which: 'all' | 'band'): string =>
    usageMetrics.map((metric) => `${figures[metric].title} ${read[metric][which]}`).join(', ');
  return [
    formatInstant(cursor.at, usage.reply.to - usage.reply.from),
    `all servers: ${told('all')}`,
    ...(other === undefined
      ? []
      : [
          `${other}: ${usageMetrics.map((metric) => `${figures[metric].title} ${read[metric].compared?.all}`).join(', ')}`,
        ]),
    ...(cursor.band === undefined ? [] : [`${usageBandText(cursor.band)}: ${told('band')}`]),
  ].join('; ');
}
