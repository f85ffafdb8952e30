import type { LogLevel, LogSource } from '../../../shared/log-kinds.ts';
import { msOf } from './line-times.ts';

/** Sources whose lines are also stored on disk. Protocol traffic is excluded, because it may contain any data. */
export type KeptSource = Exclude<LogSource, 'traffic'>;

/** One line of a log. */
export interface KeptLine {
  /** Time of the line in microseconds since 1970, unique within an app run; see `LineTimes`. */
  readonly atUs: number;
  /** Number of large steps back of the clock before the line arrived; see `LineTimes`. Undefined for 0 and lines from disk. */
  readonly era?: number;
  /** Generation (number of the run) of the server that the line belongs to; 0 before the first run. */
  readonly generation: number;
  readonly source: KeptSource;
  /** Level that the source reported; undefined for stderr. */
  readonly level?: LogLevel | undefined;
  /** Text without secrets and line breaks. */
  readonly text: string;
}

/**
 * Example of a timestamp at the beginning of a line. If it is not the first line of its millisecond, three more digits follow.
 */
const SHORT_STAMP = '2026-01-01T00:00:00.000Z';
const LONG_STAMP = '2026-01-01T00:00:00.000000Z';
const PLAIN_MARK = /^#\d{1,9}$/;
const MARK =
  /^#(\d{1,9})@(stderr|protocol|mcp|panel)(?:\/(debug|info|notice|warning|error|critical|alert|emergency))?$/;
const [ZERO, NINE] = [48, 57];
/** Maximum characters of a stamp with the blank after it. */
export const MAX_STAMP_CHARACTERS = 28;

/**
 * Formats a line for the log file: `<time> #<run> <text>` for stderr, as all lines were written in earlier versions, and
 * `<time> #<run>@<source>/<level> <text>` for other sources. The text comes after all of these, so that a server cannot imitate
 * another source.
 */
export function formLine({ atUs, generation, source, level, text }: KeptLine): string {
  const mark = source === 'stderr' ? '' : `@${source}${level === undefined ? '' : `/${level}`}`;
  return `${stampOf(atUs)} #${generation}${mark} ${text}`;
}

/** Parses a line of a log file; undefined if it was not written by `formLine`. */
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
 * Returns the time at the beginning of a log line, in microseconds since 1970. Only fixed positions are read, because hundreds
 * of thousands of lines are read at a time.
 * @param line the line, or at least its first 28 characters
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

/** True if `line` has digits where the example has them, the same characters elsewhere, and a blank after them. */
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
