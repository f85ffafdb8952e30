import type { ShownLine } from '../format/log-lines.ts';
import { formatDay } from '../format/moments.ts';
import type { Traffic } from '../../shared/log-lines.ts';

/** Heading between log lines. Its id is slightly smaller than the next line's, so that all row ids stay in ascending order. */
interface LogDivider {
  readonly id: number;
  readonly words: string;
}

export type LogRow = ShownLine | LogDivider;

export const isDivider = (row: LogRow): row is LogDivider => 'words' in row;

const lostWords = 'Lines before this one are no longer kept';

interface RowsOptions {
  /** Whether all lines belong to one server, whose name is then left out. */
  readonly isOfOne: boolean;
  /**
   * True if the log has lines before the first loaded one. If so, the first line gets no heading, because the heading would
   * disappear when those lines are loaded.
   */
  readonly hasOlder: boolean;
  /** Time at which the panel was launched this time, in epoch ms; undefined while it is not known. */
  readonly launchedAt: number | undefined;
}

/** Returns a log's rows: its lines, with a heading where a day, a server's run (generation), or the panel's launch begins. */
export function toRows(
  lines: readonly ShownLine[],
  { isOfOne, hasOlder, launchedAt }: RowsOptions,
): readonly LogRow[] {
  const rows: LogRow[] = [];
  const generations = new Map<string, number>();
  let day: string | undefined;
  // The heading for the panel's launch appears only if there are lines from before it.
  let wasBefore = false;
  for (const line of lines) {
    const isBefore = launchedAt !== undefined && line.at < launchedAt;
    const isOtherLaunch = isBefore !== wasBefore;
    wasBefore = isBefore;
    // After each launch of the panel, the generations (runs of a server) are numbered from 1 again.
    if (isOtherLaunch) generations.clear();
    const words = [
      ...(isOtherLaunch ? [isBefore ? 'Before the panel started' : 'Since the panel started'] : []),
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

/** Returns a heading if a new run begins at this line. In a log of several servers, each server's first known run gets none. */
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

/** Returns the label of the action that leads from a request to its answer, or from an answer to its request. */
export const pairWords = ({ kind }: Traffic): string =>
  kind === 'request' ? 'Show its answer' : 'Show its request';
