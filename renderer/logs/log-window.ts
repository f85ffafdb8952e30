import { createStore } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { LogFilter, LogLine as KeptLine, LogPage, LogPageQuery } from '../../shared/log-lines.ts';
import { toReport } from '../control-panel.ts';
import { toLogLine, type ShownLine } from '../format/log-lines.ts';

/** Maximum lines and characters of a log that the page keeps. Further lines are requested while scrolling. */
const windowCaps = { lines: 20_000, characters: 16 * 1024 * 1024 };
/** Number of lines per request to the main process. */
const PAGE_LINES = 1000;
/**
 * Maximum number of consecutive requests for new lines if lines are logged faster than they are fetched. After that, the log is
 * opened again at its newest line.
 */
const MOST_IN_A_ROW = 5;
/** Number of line ids reserved for each opening of the log, so that ids of different openings never overlap. */
const IDS_OF_A_WINDOW = 1e9;

export type WindowSide = 'older' | 'newer';
/** Position at which a log is opened: a moment, or the line with a key. */
type LogPlace = { readonly at: number } | { readonly key: string };

export interface LogWindowState {
  /** Number of the current opening. When the log is opened at another position, this number and the ids of all lines change. */
  readonly windowId: number;
  /** Id of the line at which the log was opened; undefined if it was opened at the newest line. */
  readonly placeId: number | undefined;
  readonly isLoaded: boolean;
  /** Lines that the page has loaded, oldest first. A line remains the same object for as long as it is kept. */
  readonly lines: readonly ShownLine[];
  /** True if the log has older lines that are not loaded. Likewise, `hasNewer` is true if newer lines are not loaded. */
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  /** Side on which lines are being fetched because the user scrolls close to it; undefined while none are fetched. */
  readonly fetching: WindowSide | undefined;
  readonly problem: ErrorReport | undefined;
}

const nothing: LogWindowState = {
  windowId: 0,
  placeId: undefined,
  isLoaded: false,
  lines: [],
  hasOlder: false,
  hasNewer: false,
  fetching: undefined,
  problem: undefined,
};

const calm = { fetching: undefined, problem: undefined };

/** Loaded part of the log; it moves as the user scrolls. */
export class LogWindow {
  readonly state = createStore<LogWindowState>(() => nothing);
  readonly #api: Pick<ControlPanelApi, 'getLogPage'>;
  readonly #caps: typeof windowCaps;
  #filter: LogFilter = {};
  #begin: LogPlace | undefined;
  /** Position up to which the newer end was read; undefined if the loaded lines end before the newest line. */
  #tail: string | undefined;
  /** Number of the last opening. Answers to requests of an earlier opening are dropped. */
  #turn = 0;
  #isOpening = false;
  #isAsking = false;
  #isFollowing = true;

  constructor(api: Pick<ControlPanelApi, 'getLogPage'>, caps = windowCaps) {
    this.#api = api;
    this.#caps = caps;
  }

  /** Opens the log at the newest line or around a position. Resolves with the id of the line there. */
  async open(wanted: LogFilter, place?: LogPlace): Promise<number | undefined> {
    const mine = (this.#turn += 1);
    const isOther = JSON.stringify(wanted) !== JSON.stringify(this.#filter);
    this.#filter = wanted;
    this.#begin = place;
    this.#isOpening = true;
    // The lines of the previous filter are removed, because they would look like the result of this one.
    if (isOther) {
      this.state.setState({ ...nothing, windowId: mine });
      this.#tail = undefined;
    }
    try {
      const { older, newer } = await pagesAround(this.#page, place);
      if (this.#turn !== mine) return undefined;
      const lines = [...older.lines, ...newer.lines].map((line, nth) =>
        toLogLine(line, mine * IDS_OF_A_WINDOW + nth),
      );
      const { hasMore: hasOlder } = older;
      const { hasMore: hasNewer } = newer;
      this.#isFollowing = place === undefined;
      this.#tail = place === undefined ? older.tail : newer.tail;
      const placeId = idAt(lines, place);
      this.state.setState({ windowId: mine, placeId, isLoaded: true, lines, hasOlder, hasNewer, ...calm });
      return placeId;
    } catch (reason) {
      const problem = toReport(reason);
      if (this.#turn === mine) this.state.setState({ ...calm, isLoaded: true, problem });
      return undefined;
    } finally {
      if (this.#turn === mine) this.#isOpening = false;
    }
  }

  /** Fetches the lines next to the loaded ones on one side. */
  async more(side: WindowSide): Promise<void> {
    const { lines, isLoaded, hasOlder, hasNewer } = this.state.getState();
    const edge = lines.at(side === 'older' ? 0 : -1);
    const isBusy = this.#isOpening || this.#isAsking;
    if (!isLoaded || isBusy || edge === undefined || !(side === 'older' ? hasOlder : hasNewer)) return;
    this.state.setState({ fetching: side });
    const key = side === 'newer' ? (this.#tail ?? edge.key) : edge.key;
    let isOutOfOrder = false;
    await this.#askFor({ key, side }, (answer) => {
      isOutOfOrder = holdsOneOf(answer.lines, lines);
      if (isOutOfOrder) return;
      const newest = lines.at(-1);
      this.state.setState({ ...joined(this.state.getState(), answer, side, this.#caps), ...calm });
      if (side === 'newer') this.#tail = answer.tail;
      else if (this.state.getState().lines.at(-1) !== newest) this.#tail = undefined;
    });
    if (isOutOfOrder) await this.open(this.#filter, { key: edge.key });
  }

  /** Fetches new lines. It does nothing if the loaded lines do not include the newest line. */
  async tick(): Promise<void> {
    for (let asked = 0; asked < MOST_IN_A_ROW; asked += 1) {
      const { isLoaded, hasNewer, lines, problem } = this.state.getState();
      if (!isLoaded || this.#isOpening || this.#isAsking || hasNewer) return;
      const key = this.#tail ?? lines.at(-1)?.key;
      if (key === undefined) return void (await this.open(this.#filter, this.#begin));
      const isBehind = await this.#askFor({ key, side: 'newer' }, (answer) => {
        if (answer.lines.length === 0 && problem === undefined) return void (this.#tail = answer.tail);
        const next = joined(this.state.getState(), answer, 'newer', this.#caps);
        const isCut = next.lines.length < lines.length + answer.lines.length;
        const isLeft = isCut && !this.#isFollowing;
        if (!isLeft) this.#tail = answer.tail;
        this.state.setState({ ...(isLeft ? { hasNewer: true } : next), problem: undefined });
      });
      if (!isBehind) return;
    }
    if (this.#isFollowing) await this.open(this.#filter);
  }

  /** Sets whether the view follows the newest line. While it does not, no lines are dropped at the top. */
  readonly follow = (isFollowing: boolean): void => {
    this.#isFollowing = isFollowing;
  };

  dispose(): void {
    this.#turn += 1;
  }

  readonly #page = (beside?: LogPageQuery['beside']): Promise<LogPage> =>
    this.#api.getLogPage({ filter: this.#filter, ...(beside && { beside }), limit: PAGE_LINES });

  /**
   * Requests lines next to a position. Passes the answer to `take` unless the log was opened again in the meantime. Resolves
   * with whether there are more lines.
   */
  async #askFor(beside: LogPageQuery['beside'], take: (answer: LogPage) => void): Promise<boolean> {
    const mine = this.#turn;
    this.#isAsking = true;
    try {
      const answer = await this.#page(beside);
      if (this.#turn !== mine) return false;
      take(answer);
      return answer.hasMore;
    } catch (reason) {
      const problem = toReport(reason);
      if (this.#turn === mine) this.state.setState({ fetching: undefined, problem });
      return false;
    } finally {
      this.#isAsking = false;
    }
  }
}

const noPage: LogPage = { lines: [], hasMore: false };

/** Returns the lines on both sides of a position, whose own line counts as newer; the newest lines if there is no position. */
async function pagesAround(
  page: (beside?: LogPageQuery['beside']) => Promise<LogPage>,
  place: LogPlace | undefined,
): Promise<{ readonly older: LogPage; readonly newer: LogPage }> {
  if (place === undefined) return { older: await page(), newer: noPage };
  const older = await page({ ...place, side: 'older' });
  const last = older.lines.at(-1);
  const newer = await page(last === undefined ? { at: 0, side: 'newer' } : { key: last.key, side: 'newer' });
  return { older, newer };
}

/** Returns the id of the line at a position. For a moment, this is the first line since then, or else the last line before it. */
function idAt(lines: readonly ShownLine[], place: LogPlace | undefined): number | undefined {
  if (place === undefined) return undefined;
  if ('key' in place) return lines.find(({ key }) => key === place.key)?.id;
  return (lines.find(({ at }) => at >= place.at) ?? lines.at(-1))?.id;
}

/** True if one of the added lines is already loaded. This happens if the clock was set back, so that lines are out of order. */
function holdsOneOf(added: readonly KeptLine[], lines: readonly ShownLine[]): boolean {
  const keys = new Set(added.map(({ key }) => key));
  return lines.some(({ key }) => keys.has(key));
}

/** Adds lines on one side. Lines that exceed the maximum are dropped on the other side. */
function joined(
  before: LogWindowState,
  { lines: added, hasMore, isCutOff }: LogPage,
  side: WindowSide,
  caps: typeof windowCaps,
): Pick<LogWindowState, 'lines' | 'hasOlder' | 'hasNewer'> {
  const { lines } = before;
  if (side === 'older') {
    const first = (lines[0]?.id ?? 0) - added.length;
    const all = [...added.map((line, nth) => toLogLine(line, first + nth)), ...lines];
    const kept = within(all, caps, 'older');
    return { lines: kept, hasOlder: hasMore, hasNewer: before.hasNewer || kept.length < all.length };
  }
  const next = (lines.at(-1)?.id ?? before.windowId * IDS_OF_A_WINDOW) + 1;
  const shown = added.map((line: KeptLine, nth) => ({
    ...toLogLine(line, next + nth),
    ...(isCutOff && nth === 0 && { isAfterLoss: true as const }),
  }));
  const all = [...lines, ...shown];
  const kept = within(all, caps, 'newer');
  return {
    lines: kept,
    // This side keeps its state: if the loaded lines included the newest line before, they still do after `tick` added newer
    // ones.
    hasNewer: before.hasNewer && hasMore,
    hasOlder: before.hasOlder || kept.length < all.length,
  };
}

/** Returns as many lines as the maximum permits, counted from the given side. The first is kept even if it alone is too long. */
function within(
  lines: readonly ShownLine[],
  caps: typeof windowCaps,
  side: WindowSide,
): readonly ShownLine[] {
  let characters = 0;
  let count = 0;
  while (count < Math.min(lines.length, caps.lines)) {
    const line = side === 'older' ? lines[count] : lines[lines.length - 1 - count];
    characters += line?.text.length ?? 0;
    if (characters > caps.characters && count > 0) break;
    count += 1;
  }
  if (count === lines.length) return lines;
  return side === 'older' ? lines.slice(0, count) : lines.slice(lines.length - count);
}
