import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { KeptLine } from '../journal/line-form.ts';
import { LOG_PARTS, outputPath, serversFolder } from '../journal/output-file.ts';
import { partPaths } from '../journal/rotating-file.ts';
import { FilePart, statsOf } from './file-part.ts';
import type { LineList } from './line-cursor.ts';

const SUFFIX = '.log';

interface Found {
  readonly path: string;
  readonly stats: Stats;
}

/** Log of one server on disk, in up to three files (parts). The parts may be rotated while they are read. */
class LogFile {
  readonly #stream: string;
  readonly #paths: readonly string[];
  /** Parts, oldest first. */
  #parts: readonly FilePart[] = [];

  constructor(stream: string, path: string) {
    this.#stream = stream;
    this.#paths = partPaths({ path, maxFiles: LOG_PARTS });
  }

  /** Returns the log's lines as of now, as lists for `LineCursor`. */
  lists(): readonly LineList<KeptLine>[] {
    this.#look();
    return chainedLists(this.#parts.flatMap((part) => part.lists(this.#stream)));
  }

  /**
   * Finds the current parts. Paths are checked from the newest to the oldest, because rotation renames a part to an older name:
   * a part that is renamed meanwhile is found twice but never missed.
   */
  #look(): void {
    const found = this.#paths.flatMap((path) => {
      const stats = statsOf(path);
      return stats ? [{ path, stats }] : [];
    });
    const known = [...this.#parts];
    const parts: FilePart[] = [];
    for (const { path, stats } of found.reverse()) {
      const same = known.find((part) => part.isUnchangedAt(path, stats));
      const part = same ?? attempt(() => this.#open({ path, stats }, known, parts.at(-1)));
      if (part && !parts.includes(part)) parts.push(part);
    }
    this.#parts = parts;
  }

  #open({ path, stats }: Found, known: readonly FilePart[], before: FilePart | undefined): FilePart {
    const grown = known.find((part) => part.growAt(path, stats));
    return grown ?? new FilePart(path, before?.lastUs ?? -Infinity);
  }
}

/** Logs on disk of all servers, including removed ones. */
export class LogFiles {
  readonly #folder: string;
  readonly #files = new Map<string, LogFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Names of servers and replicas that have a log. */
  get streams(): readonly string[] {
    const names = attempt(() => readdirSync(serversFolder(this.#folder))) ?? [];
    return names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length))
      .map((name) => (outputPath('', name.slice(1)) === `${name}${SUFFIX}` ? name.slice(1) : name));
  }

  /** Returns the line lists of a log. @param stream the name of a server or replica; empty for the panel's own log */
  lists(stream: string): readonly LineList<KeptLine>[] {
    const file = this.#files.get(stream) ?? new LogFile(stream, this.#pathOf(stream));
    this.#files.set(stream, file);
    return file.lists();
  }

  #pathOf(stream: string): string {
    return stream === ''
      ? join(this.#folder, `panel${SUFFIX}`)
      : outputPath(serversFolder(this.#folder), stream);
  }
}

/** Returns the result of `act`; undefined if it throws, so that unreadable files count as missing. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Joins the lists of one stream into as few lists as possible: a list that begins after the end of another one continues it. */
function chainedLists<L extends { readonly atUs: number }>(
  lists: readonly LineList<L>[],
): readonly LineList<L>[] {
  const chains: LineList<L>[][] = [];
  let endUs = Infinity;
  for (const list of lists) {
    const chain = chains.at(-1);
    if (chain && list.firstUs(0) > endUs) chain.push(list);
    else chains.push([list]);
    endUs = list.lastUs(list.sheetCount - 1);
  }
  return chains.map(asOne);
}

/** Returns several lists as one. @param lists at least one list, none of them empty */
function asOne<L extends { readonly atUs: number }>(lists: readonly LineList<L>[]): LineList<L> {
  const [first] = lists;
  if (lists.length === 1) return first!;
  const at = <T>(sheet: number, read: (list: LineList<L>, sheet: number) => T): T => {
    let before = 0;
    for (const list of lists) {
      if (sheet < before + list.sheetCount) return read(list, sheet - before);
      before += list.sheetCount;
    }
    throw new RangeError(`There is no sheet ${sheet}`);
  };
  return {
    stream: first!.stream,
    sheetCount: lists.reduce((sum, { sheetCount }) => sum + sheetCount, 0),
    firstUs: (sheet) => at(sheet, (list, own) => list.firstUs(own)),
    lastUs: (sheet) => at(sheet, (list, own) => list.lastUs(own)),
    load: (sheet) => at(sheet, (list, own) => list.load(own)),
  };
}
