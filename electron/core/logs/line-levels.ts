import { withoutControlSequences } from '../../../shared/control-sequences.ts';
import { escapeRegExp } from '../../../shared/escape-reg-exp.ts';
import { isContinuation, levelOf } from '../../../shared/log-level.ts';
import { logLevels, type LogLevel } from '../../../shared/log-kinds.ts';
import type { LogFilter } from '../../../shared/log-lines.ts';
import type { KeptLine } from '../journal/line-form.ts';
import type { LineHere } from './line-cursor.ts';

/** A stack has some dozens of lines, between which others may have come. */
const MOST_LINES_ABOVE = 100;

/** Level of a line: what its source said, or, of stderr, what its words say, or those of the line that it goes on with. */
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

/** So many lines above; in the sheet above as well, but not beyond it. */
const lineAbove = ({ lines, index, above }: LineHere<KeptLine>, count: number): KeptLine | undefined =>
  count <= index ? lines[index - count] : above().at(index - count);

function isAtLeast(level: LogLevel | undefined, least: LogLevel): boolean {
  return level !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(least);
}

/** Whether the filter lets a line pass, whatever its server and its time. */
export function passes(here: LineHere<KeptLine>, filter: LogFilter): boolean {
  const { generation, source } = here.lines[here.index]!;
  if (filter.generation !== undefined && generation !== filter.generation) return false;
  if (filter.sources && !filter.sources.includes(source)) return false;
  return filter.leastLevel === undefined || isAtLeast(levelAt(here), filter.leastLevel);
}

/** What is looked for in lines; nothing where there is no text. */
export interface SoughtText {
  readonly text?: string | undefined;
  /** Upper and lower case are alike without it. */
  readonly matchesCase?: boolean | undefined;
}

/** Finds a text anywhere in a line as it is read, without its colours. */
export function lineFinder({ text, matchesCase }: SoughtText): ((line: string) => boolean) | undefined {
  if (text === undefined) return undefined;
  const pattern = new RegExp(escapeRegExp(text), matchesCase ? 'u' : 'iu');
  return (line) => pattern.test(withoutControlSequences(line));
}
