import { KEPT_MS } from '../../../../shared/retention.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A resolution that is kept for longer than single looks are. Its figures are merged from the looks, never from another level. */
export interface Level {
  /** Stands in the file. */
  readonly id: number;
  readonly resolution: 'minute' | 'quarter-hour';
  /** What one record covers. */
  readonly stepMs: number;
  /** Records in a row of the file: some 700 bytes, of which a page holds five. */
  readonly stepsInBlock: number;
  /** Looks are written into rows this often, because each time is a page per server. It holds whole steps. */
  readonly rollEveryMs: number;
  readonly keptMs: number;
}

const MINUTES: Level = {
  id: 1,
  resolution: 'minute',
  stepMs: MINUTE_MS,
  stepsInBlock: 30,
  rollEveryMs: 5 * MINUTE_MS,
  keptMs: 7 * DAY_MS,
};
export const QUARTERS: Level = {
  id: 2,
  resolution: 'quarter-hour',
  stepMs: 15 * MINUTE_MS,
  stepsInBlock: 24,
  rollEveryMs: 15 * MINUTE_MS,
  keptMs: KEPT_MS,
};
/** The finest first. */
export const LEVELS = [MINUTES, QUARTERS] as const;

/** Events, changes of limits and runs of the panel are kept as long as the coarsest level. */
export const EVENTS_KEPT_MS = QUARTERS.keptMs;
/** Single looks are kept for this long at least; a page that asks for "the last hour" has some time to ask. */
export const LOOKS_KEPT_MS = HOUR_MS + MINUTE_MS;
/**
 * Rows of looks: one a second, and at most one a minute more, where a minute begins with calls that no look of it has come
 * for. That makes 3721 in the time that they are kept.
 */
export const MAX_LOOKS = 4000;

export const blockMs = ({ stepMs, stepsInBlock }: Level): number => stepMs * stepsInBlock;

/** Blocks of one level and series stand side by side in the file. 2 ** 24 blocks of half an hour reach to the year 2926. */
const BLOCKS = 2 ** 24;
const SERIES = 2 ** 20;

/** The row that holds the block with this number, counted from 1970. Below 2 ** 46. */
export const blockRow = (level: Level, series: number, block: number): number =>
  (level.id * SERIES + series) * BLOCKS + Math.min(Math.max(block, 0), BLOCKS - 1);
export const blockOfRow = (row: number): number => row % BLOCKS;
