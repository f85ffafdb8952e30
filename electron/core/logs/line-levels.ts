import { withoutControlSequences } from '../../../shared/control-sequences.ts';
import { escapeRegExp } from '../../../shared/escape-reg-exp.ts';
import { isContinuation, levelOf } from '../../../shared/log-level.ts';
import { logLevels, type LogLevel } from '../../../shared/log-kinds.ts';
import type { LogFilter } from '../../../shared/log-lines.ts';
import type { KeptLine } from '../journal/line-form.ts';
import type { LineHere } from './line-cursor.ts';

/** Maximum lines scanned upwards for the start of a stack trace, which has some dozens, possibly mixed with other sources. */
const MOST_LINES_ABOVE = 100;

/**
 * Returns the log level of a line, as its source reported it. A line of stderr has no reported level, so its text is examined,
 * or the text of the earlier line that it continues.
 */
export function levelAt(here: LineHere<KeptLine>): LogLevel | undefined {
  const { source, generation, level } = here.lines[here.index]!;
  if (source !== 'stderr') return level;
  for (let back = 0; back < MOST_LINES_ABOVE; back += 1) {
    const line = lineAbove(here, back);
    if (!line) return undefined;
    if (line.source !== 'stderr') continue;
    if (line.generation !== generation) return undefined;
    const text = withoutControlSequences(line.text);
    const told = levelOf(text);
    if (told !== undefined || !isContinuation(text)) return told;
  }
  return undefined;
}

/** Returns the line `count` lines above, at most one sheet back (a sheet is a group of lines that are loaded together). */
const lineAbove = ({ lines, index, above }: LineHere<KeptLine>, count: number): KeptLine | undefined =>
  count <= index ? lines[index - count] : above().at(index - count);

function isAtLeast(level: LogLevel | undefined, least: LogLevel): boolean {
  return level !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(least);
}

/** True if the line passes the filter's run, sources and level. Servers and times of the filter are not checked here. */
export function passes(here: LineHere<KeptLine>, filter: LogFilter): boolean {
  const { generation, source } = here.lines[here.index]!;
  if (filter.generation !== undefined && generation !== filter.generation) return false;
  if (filter.sources && !filter.sources.includes(source)) return false;
  return filter.leastLevel === undefined || isAtLeast(levelAt(here), filter.leastLevel);
}

/** Text to search for; if it is undefined, nothing is searched for. */
export interface SoughtText {
  readonly text?: string | undefined;
  /** True if the search distinguishes upper and lower case. Default: it does not. */
  readonly matchesCase?: boolean | undefined;
}

/** Returns a test that finds the text in a line, ignoring color codes; undefined if there is no text to search for. */
export function lineFinder({ text, matchesCase }: SoughtText): ((line: string) => boolean) | undefined {
  if (text === undefined) return undefined;
  const pattern = new RegExp(escapeRegExp(text), matchesCase ? 'u' : 'iu');
  return (line) => pattern.test(withoutControlSequences(line));
}
