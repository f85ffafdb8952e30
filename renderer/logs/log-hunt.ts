import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { LogFilter, LogLine } from '../../shared/log-lines.ts';
import { toReport } from '../control-panel.ts';
import { toLogLine } from '../format/log-lines.ts';
import type { LineMatcher, LineQuery } from '../../shared/line-query.ts';
import { afterOtherWork, SLICE_MS } from './log-search.ts';
import type { WindowSide } from './log-window.ts';

/** State of the search in log lines outside those that the page has loaded. */
export type LogHuntState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'searching' | 'ended'; readonly side: WindowSide; readonly scannedLines: number }
  | { readonly phase: 'failed'; readonly problem: ErrorReport };

/** Where a search begins and what it looks for. `key` identifies the line from which it continues. */
interface HuntFrom {
  readonly filter: LogFilter;
  readonly query: LineQuery;
  readonly matcher: LineMatcher;
  readonly key: string;
  readonly side: WindowSide;
}

interface LogHunt {
  readonly state: StoreApi<LogHuntState>;
  /** Resolves with the key of the next line that matches; undefined without a match or after a cancel. */
  find(from: HuntFrom): Promise<string | undefined>;
  readonly cancel: () => void;
}

type HuntApi = Pick<ControlPanelApi, 'findInLog' | 'getLogPage'>;

interface Slice {
  readonly hit?: string | undefined;
  readonly continueAt?: string | undefined;
  readonly scannedLines: number;
}

/**
 * Number of log lines fetched at a time in a search with a regular expression. The main process does not evaluate the
 * expression, so the lines are sent to the window.
 */
const SLICE_LINES = 2000;

/** Clock and scheduler with which a search pauses, so that it does not block the window. */
interface Turns {
  /** Returns the current time in ms. Any clock will do, because only differences count. */
  readonly now: () => number;
  /** Runs a function after other pending work; returns a function that cancels that run. */
  readonly later: (act: () => void) => () => void;
}

const pageTurns: Turns = { now: () => performance.now(), later: afterOtherWork };

export function createLogHunt(api: HuntApi, turns = pageTurns): LogHunt {
  const state = createStore<LogHuntState>(() => ({ phase: 'idle' }));
  let turn = 0;
  const publish = (next: LogHuntState) => state.setState(next, true);

  async function find(from: HuntFrom): Promise<string | undefined> {
    const mine = (turn += 1);
    const { side } = from;
    let scannedLines = 0;
    let key: string | undefined = from.key;
    try {
      while (key !== undefined) {
        publish({ phase: 'searching', side, scannedLines });
        const slice = await nextSlice(api, { ...from, key }, { ...turns, isOver: () => turn !== mine });
        if (turn !== mine) return undefined;
        scannedLines += slice.scannedLines;
        if (slice.hit !== undefined) {
          publish({ phase: 'idle' });
          return slice.hit;
        }
        key = slice.continueAt;
      }
      publish({ phase: 'ended', side, scannedLines });
    } catch (reason) {
      if (turn === mine) publish({ phase: 'failed', problem: toReport(reason) });
    }
    return undefined;
  }

  const cancel = () => {
    turn += 1;
    if (state.getState().phase !== 'idle') publish({ phase: 'idle' });
  };
  return { state, find, cancel };
}

interface Matching extends Turns {
  /** Returns true if the search was cancelled or replaced by another. */
  readonly isOver: () => boolean;
}

/** Searches one chunk of the log. The main process searches for words; the window gets the lines to test a regular expression. */
async function nextSlice(
  api: HuntApi,
  { filter, query: { words, isRegex, matchesCase }, matcher, key, side }: HuntFrom,
  matching: Matching,
): Promise<Slice> {
  if (!isRegex) {
    const search = { filter, text: words, key, side, ...(matchesCase && { matchesCase }) };
    const { hit, ...rest } = await api.findInLog(search);
    return { ...rest, hit: hit?.key };
  }
  const { lines, hasMore } = await api.getLogPage({ filter, beside: { key, side }, limit: SLICE_LINES });
  const ordered = side === 'older' ? lines.toReversed() : lines;
  return {
    hit: await firstMatch(ordered, matcher, matching),
    continueAt: hasMore ? ordered.at(-1)?.key : undefined,
    scannedLines: lines.length,
  };
}

/** Returns the key of the first line that matches. The search runs in chunks, because a pattern may take longer than a frame. */
async function firstMatch(
  lines: readonly LogLine[],
  matcher: LineMatcher,
  { now, later, isOver }: Matching,
): Promise<string | undefined> {
  let endMs = now() + SLICE_MS;
  for (const line of lines) {
    if (matcher.test(toLogLine(line, 0).text)) return line.key;
    if (now() < endMs) continue;
    await new Promise<void>((resolve) => void later(resolve));
    if (isOver()) return undefined;
    endMs = now() + SLICE_MS;
  }
  return undefined;
}
