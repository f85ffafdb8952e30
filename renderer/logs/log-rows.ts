import type { ShownLine } from '../format/log-lines.ts';
import { formatDay } from '../format/moments.ts';

/** Heading between lines. Its id lies right before that of the line below it. */
export interface LogDivider {
  readonly id: number;
  readonly words: string;
}

export type LogRow = ShownLine | LogDivider;

export const isDivider = (row: LogRow): row is LogDivider => 'words' in row;

const lostWords = 'Lines before this one are no longer kept';

interface RowsOptions {
  /** All lines are of one server, which then need not be named. */
  readonly isOfOne: boolean;
  /** There are lines before the first one, which has no heading then, because it would go when they come. */
  readonly hasOlder: boolean;
  /** Begin of this launch of the panel, as far as it is known. */
  readonly launchedAt: number | undefined;
}

/** Rows of a log: its lines, with a heading before the first line of a launch, of a day, and of a run. */
export function toRows(
  lines: readonly ShownLine[],
  { isOfOne, hasOlder, launchedAt }: RowsOptions,
): readonly LogRow[] {
  const rows: LogRow[] = [];
  const generations = new Map<string, number>();
  let day: string | undefined;
  // Only lines of earlier launches make it worth saying which one a line is of.
  let wasBefore = false;
  for (const line of lines) {
    const isBefore = launchedAt !== undefined && line.at < launchedAt;
    const isOtherLaunch = isBefore !== wasBefore;
    wasBefore = isBefore;
    // Generations count anew in each launch.
    if (isOtherLaunch) generations.clear();
    const words = [
      ...(isOtherLaunch ? [isBefore ? 'Earlier launches' : 'This launch'] : []),
      ...(line.isAfterLoss === true ? [lostWords] : []),
      ...dayBefore(line, day),
      ...generationBefore(line, generations, isOfOne),
    ];
    const isHidden = hasOlder && line === lines[0];
    if (words.length > 0 && !isHidden) rows.push({ id: line.id - 0.5, words: words.join(' · ') });
    rows.push(line);
    day = formatDay(line.at);
  }
  return rows;
}

const dayBefore = ({ at }: ShownLine, day: string | undefined): readonly string[] =>
  formatDay(at) === day ? [] : [formatDay(at)];

/** Words where another run of its server begins; among lines of several servers the first one of each is none. */
function generationBefore(
  { server, instance, generation }: ShownLine,
  known: Map<string, number>,
  isOfOne: boolean,
): readonly string[] {
  if (server === null || generation === undefined) return [];
  const whose = instance ?? server;
  const before = known.get(whose);
  known.set(whose, generation);
  if (before === generation || (before === undefined && !isOfOne)) return [];
  return [
    isOfOne && instance === undefined ? `Generation ${generation}` : `${whose}, generation ${generation}`,
  ];
}
