import type { LogLevel, LogSource } from '../../../shared/log-kinds.ts';
import { msOf } from './line-times.ts';

/** What is kept on disk, too. The traffic is not, because it may hold anything. */
export type KeptSource = Exclude<LogSource, 'traffic'>;

/** One line of a log. */
export interface KeptLine {
  /** Its place on the time axis, see `LineTimes`. */
  readonly atUs: number;
  /** That of `LineTimes` when the line came. Absent for 0, and on disk. */
  readonly era?: number;
  /** Run of the server that it belongs to; 0 before the first. */
  readonly generation: number;
  readonly source: KeptSource;
  /** As the source told it; never of stderr. */
  readonly level?: LogLevel | undefined;
  /** Without secrets, and without a line break. */
  readonly text: string;
}

/** A stamp has milliseconds, and three more digits where it is not the first of its millisecond. */
const SHORT_STAMP = '2026-01-01T00:00:00.000Z';
const LONG_STAMP = '2026-01-01T00:00:00.000000Z';
const PLAIN_MARK = /^#\d{1,9}$/;
const MARK =
  /^#(\d{1,9})@(stderr|protocol|mcp|panel)(?:\/(debug|info|notice|warning|error|critical|alert|emergency))?$/;
const [ZERO, NINE] = [48, 57];
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
  const markAt = line.indexOf(' ') + 1;
  const textAt = line.indexOf(' ', markAt) + 1;
  if (textAt === 0) return undefined;
  const mark = line.slice(markAt, textAt - 1);
  const text = line.slice(textAt);
  if (PLAIN_MARK.test(mark)) return { atUs, generation: Number(mark.slice(1)), source: 'stderr', text };
  const [, generation, source, level] = MARK.exec(mark) ?? [];
  if (source === undefined) return undefined;
  return {
    atUs,
    generation: Number(generation),
    source: source as KeptSource,
    ...(level !== undefined && { level: level as LogLevel }),
    text,
  };
}

/**
 * The place on the time axis that a line begins with. Hundreds of thousands are read at a time, so it looks at characters
 * where they are to be.
 * @param line at least its first 28 characters
 */
export function stampIn(line: string): number | undefined {
  const isShort = line.charAt(SHORT_STAMP.length - 1) === 'Z';
  if (!hasFormOf(line, isShort ? SHORT_STAMP : LONG_STAMP)) return undefined;
  const month = digits(line, 5, 2);
  const day = digits(line, 8, 2);
  const [hour, minute, second] = [digits(line, 11, 2), digits(line, 14, 2), digits(line, 17, 2)];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59)
    return undefined;
  const ms = Date.UTC(digits(line, 0, 4), month - 1, day, hour, minute, second, digits(line, 20, 3));
  return ms * 1000 + (isShort ? 0 : digits(line, 23, 3));
}

/** Digits where the example has some, and else the same; and a blank behind it. */
function hasFormOf(line: string, example: string): boolean {
  for (let at = 0; at < example.length; at += 1) {
    const code = line.charCodeAt(at);
    const wanted = example.charCodeAt(at);
    const isDigit = code >= ZERO && code <= NINE;
    if (wanted >= ZERO && wanted <= NINE ? !isDigit : code !== wanted) return false;
  }
  return line.charAt(example.length) === ' ';
}

function digits(line: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at += 1) value = value * 10 + line.charCodeAt(at) - ZERO;
  return value;
}

function stampOf(atUs: number): string {
  const atMs = msOf(atUs);
  const count = atUs - atMs * 1000;
  const time = new Date(atMs).toISOString();
  return count === 0 ? time : `${time.slice(0, -1)}${String(count).padStart(3, '0')}Z`;
}
