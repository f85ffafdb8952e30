import { figures } from '../charts/figures.ts';
import { formatInstant } from '../format/moments.ts';
import { usageMetrics, type UsageMetric } from './span-usage.ts';
import type { WindowUsage } from './use-span-usage.ts';

/** Buckets that charts are drawn of. */
export interface CursorBuckets {
  readonly from: number;
  readonly stepMs: number;
}

/** Bucket that holds an instant. */
export const stepOf = (at: number, { from, stepMs }: CursorBuckets): number =>
  Math.floor((at - from) / stepMs);

/** Middle of a bucket as an instant. */
const middleOf = (step: number, { from, stepMs }: CursorBuckets): number => from + (step + 0.5) * stepMs;

/** Band of a stack: the name of its server, and empty for the others. */
export type BandKey = string;

export const bandKey = (server: string | undefined): BandKey => server ?? '';

/** Place in the charts that is looked at. It is an instant because the buckets move on. */
export interface UsageCursor {
  readonly at: number;
  readonly band: BandKey | undefined;
}

/** Instants that the cursor can stand on: the middles of all buckets with a figure, oldest first. */
export const usageInstants = ({ of, reply }: WindowUsage): readonly number[] =>
  of.memoryBytes.stack.isKnown.flatMap((isKnown, step) =>
    isKnown || of.cpuPercent.stack.isKnown[step] === true ? [middleOf(step, reply)] : [],
  );

/** Band above or below, from the largest to the others and round again. */
export function nextBand(band: BandKey | undefined, of: WindowUsage['of'], by: 1 | -1): BandKey | undefined {
  const keys = [
    ...new Set(usageMetrics.flatMap((metric) => of[metric].bands.map(({ server }) => bandKey(server)))),
  ];
  if (keys.length === 0) return undefined;
  const place = band === undefined ? (by === 1 ? -1 : 0) : keys.indexOf(band);
  return keys[(place + by + keys.length) % keys.length];
}

/** Figures of a bucket: of all servers, and of one band where it has its own in that chart. */
export interface BucketFigures {
  readonly all: string;
  readonly band: string;
}

/** Figures at a cursor as they are read. In a gap there are none. */
export function figuresAt(
  { at, band }: UsageCursor,
  { of, reply }: WindowUsage,
): Readonly<Record<UsageMetric, BucketFigures>> {
  const step = stepOf(at, reply);
  const figuresOf = (metric: UsageMetric): BucketFigures => {
    const { stack, figures: known } = of[metric];
    const { short: format } = figures[metric];
    const isKnown = stack.isKnown[step] === true;
    const others = stack.bands.find(({ server }) => server === undefined);
    const own = band === undefined || band === '' ? others?.figures : known.get(band);
    return {
      all: format(isKnown ? stack.bands.reduce((sum, { figures }) => sum + figures[step]!, 0) : undefined),
      band: format(isKnown ? own?.[step] : undefined),
    };
  };
  return { memoryBytes: figuresOf('memoryBytes'), cpuPercent: figuresOf('cpuPercent') };
}

export const usageBandText = (band: BandKey): string => (band === '' ? 'Others' : band);

/** What the charts show at the cursor, in words. */
export function usageTextAt(cursor: UsageCursor, usage: WindowUsage): string {
  const read = figuresAt(cursor, usage);
  const told = (which: keyof BucketFigures): string =>
    usageMetrics.map((metric) => `${figures[metric].title} ${read[metric][which]}`).join(', ');
  return [
    formatInstant(cursor.at, usage.reply.to - usage.reply.from),
    `all servers: ${told('all')}`,
    ...(cursor.band === undefined ? [] : [`${usageBandText(cursor.band)}: ${told('band')}`]),
  ].join('; ');
}
