import type { LogLevel, LogSource } from '../../../shared/log-kinds.ts';
import { msOf } from './line-times.ts';

/** What is kept on disk, too. The traffic is not, because it may hold anything. */
export type KeptSource = Exclude<LogSource, 'traffic'>;

/** One line of a log. */
export interface KeptLine {
  /** Its place on the time axis, see `LineTimes`. */
  readonly atUs: number;
  /** Run of the server that it belongs to; 0 before the first. */
  readonly generation: number;
  readonly source: KeptSource;
  /** As the source told it; never of stderr. */
  readonly level?: LogLevel | undefined;
  /** Without secrets, and without a line break. */
  readonly text: string;
}

/** Digits of a stamp: date and time, milliseconds, and the count within the millisecond where it is not the first. */
const STAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})(\d{3})?Z /;
const MARK =
  /^#(\d{1,9})(?:@(stderr|protocol|mcp|panel)(?:\/(debug|info|notice|warning|error|critical|alert|emergency))?)? /;
/** A stamp and the blank behind it have no more characters. */
export const MAX_STAMP_CHARACTERS = 28;

/**
 * A line as it stands on disk: `<time> #<run> <text>` for stderr, which is how all lines were once, and
 * `<time> #<run>@<source>/<level> <text>` for others. What a server writes comes behind the blank, so it cannot pretend to
 * be of another source.
 */
export function formLine({ atUs, generation, source, level, text }: KeptLine): string {
  const mark = source === 'stderr' ? '' : `@${source}${level === undefined ? '' : `/${level}`}`;
  return `${stampOf(atUs)} #${generation}${mark} ${text}`;
}

/** Undefined for what has not the form. */
export function parseLine(line: string): KeptLine | undefined {
  const atUs = stampIn(line);
  if (atUs === undefined) return undefined;
  const marked = line.slice(line.indexOf(' ') + 1);
  const [mark, generation, source = 'stderr', level] = MARK.exec(marked) ?? [];
  if (mark === undefined) return undefined;
  return {
    atUs,
    generation: Number(generation),
    source: source as KeptSource,
    ...(level !== undefined && { level: level as LogLevel }),
    text: marked.slice(mark.length),
  };
}

/** The place on the time axis that a line begins with. @param line at least its first 28 characters */
export function stampIn(line: string): number | undefined {
  const [stamp, ...digits] = STAMP.exec(line) ?? [];
  if (stamp === undefined) return undefined;
  const [year, month, day, hour, minute, second, ms, count] = digits.map((part) => Number(part ?? 0));
  if (month! < 1 || month! > 12 || day! < 1 || day! > 31 || hour! > 23 || minute! > 59 || second! > 59)
    return undefined;
  return Date.UTC(year!, month! - 1, day, hour, minute, second, ms) * 1000 + count!;
}

function stampOf(atUs: number): string {
  const atMs = msOf(atUs);
  const count = atUs - atMs * 1000;
  const time = new Date(atMs).toISOString();
  return count === 0 ? time : `${time.slice(0, -1)}${String(count).padStart(3, '0')}Z`;
}
