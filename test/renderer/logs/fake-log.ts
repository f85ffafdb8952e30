import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import type { LogLine, LogPageQuery, LogSearch } from '../../../shared/log-lines.ts';

/** A line of the server `one` on its stderr. */
export const aLine = (id: number, changes: Partial<LogLine> = {}): LogLine => ({
  key: `one/${id}`,
  at: 1000 * id,
  server: 'one',
  source: 'stderr',
  generation: 1,
  text: `line ${id}`,
  ...changes,
});

export const someLines = (first: number, last: number): readonly LogLine[] =>
  Array.from({ length: last - first + 1 }, (_, index) => aLine(first + index));

/** How far an answer looked, as the number of lines up to there. */
const TAIL = /^tail\/(\d+)$/;

/** Log that answers as the core does, from the lines in it. */
export class FakeLog implements Pick<ControlPanelApi, 'getLogPage' | 'findInLog' | 'getLogContent'> {
  /** In the order in which they came; they stand in that of their times. */
  lines: readonly LogLine[];
  /** Everything that was asked for. */
  readonly asked: (LogPageQuery | LogSearch)[] = [];
  /** What the next answers wait for. */
  gate: Promise<unknown> = Promise.resolve();
  /** Lines that one slice of a search looks at. */
  sliceLines = 1000;

  constructor(lines: readonly LogLine[]) {
    this.lines = lines;
  }

  readonly getLogPage = async (query: LogPageQuery) => {
    this.asked.push(query);
    await this.gate;
    const { beside, limit } = query;
    const all = this.#kept(query);
    const [side, place] = [beside?.side ?? 'older', this.#placeOf(all, beside)];
    const count = TAIL.exec(beside?.key ?? '')?.[1];
    const part =
      count !== undefined
        ? this.#kept(query, this.lines.slice(Number(count)))
        : side === 'newer'
          ? all.slice(place.newer)
          : all.slice(0, place.older);
    const lines = side === 'newer' ? part.slice(0, limit) : part.slice(-limit);
    const hasMore = lines.length < part.length;
    const last = side === 'newer' && hasMore ? lines.at(-1) : undefined;
    const seen = last === undefined ? this.lines.length : this.lines.indexOf(last) + 1;
    const tail = last !== undefined && count === undefined ? last.key : `tail/${seen}`;
    const isTail = side === 'newer' || beside === undefined;
    return { lines: [...lines], hasMore, ...(isTail && { tail }) };
  };

  readonly findInLog = async (query: LogSearch) => {
    this.asked.push(query);
    await this.gate;
    const { side, text, matchesCase } = query;
    const folded = (words: string) => (matchesCase ? words : words.toLowerCase());
    const all = this.#kept(query);
    const place = this.#placeOf(all, query.key === undefined ? undefined : { key: query.key, side });
    const part = side === 'newer' ? all.slice(place.newer) : all.slice(0, place.older).toReversed();
    const slice = part.slice(0, this.sliceLines);
    const at = slice.findIndex((line) => folded(line.text).includes(folded(text)));
    const hit = slice[at];
    if (hit !== undefined) return { hit, scannedLines: at + 1 };
    const last = slice.at(-1);
    const isMore = slice.length < part.length && last !== undefined;
    return { ...(isMore && { continueAt: last.key }), scannedLines: slice.length };
  };

  readonly getLogContent = async () => undefined;

  #kept(
    { filter }: Pick<LogPageQuery, 'filter'>,
    lines = this.lines.toSorted((one, other) => one.at - other.at),
  ): readonly LogLine[] {
    const { servers, sources, withoutOwn, from = -Infinity, to = Infinity } = filter;
    return lines.filter(
      ({ at, server, source, traffic }) =>
        at >= from &&
        at < to &&
        (servers === undefined || (server !== null && servers.includes(server))) &&
        (sources === undefined || sources.includes(source)) &&
        !(withoutOwn === true && traffic?.own === true),
    );
  }

  #placeOf(
    lines: readonly LogLine[],
    beside: LogPageQuery['beside'],
  ): { readonly older: number; readonly newer: number } {
    const { key, at } = beside ?? {};
    const index = lines.findIndex((line) =>
      key === undefined ? at !== undefined && line.at >= at : line.key === key,
    );
    if (index < 0) return { older: lines.length, newer: lines.length };
    return { older: index, newer: key === undefined ? index : index + 1 };
  }
}
