import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLevel } from '../../shared/log-level.ts';
import type { LogLine } from '../format/log-lines.ts';
import { compileQuery, type LineMatcher, type LineQuery } from './line-query.ts';
import { LineScan } from './line-scan.ts';

export interface LogSearchState {
  /** Search and level that this answers; undefined while everything is shown. */
  readonly answers: (LineQuery & { readonly leastLevel: LogLevel | undefined }) | undefined;
  readonly matcher: LineMatcher | undefined;
  /** Why the pattern cannot be searched for; the lines are those without a search then. */
  readonly problem: string | undefined;
  /** Lines of the wanted level. */
  readonly lines: readonly LogLine[];
  /** Those of them that match; none without a search. */
  readonly hits: readonly LogLine[];
  readonly isDone: boolean;
}

/** Search over one log. It is done in slices, so that typing and drawing go on meanwhile. */
export interface LogSearch {
  readonly state: StoreApi<LogSearchState>;
  /** Takes the lines of the log as they are now. */
  take(lines: readonly LogLine[]): void;
  look(query: LineQuery, leastLevel: LogLevel | undefined): void;
  dispose(): void;
}

/** Time for one slice: about half a frame. */
const SLICE_MS = 8;

/**
 * @param now milliseconds of any clock
 * @param later runs a function after other work; returns the undo
 */
export function createLogSearch(
  now: () => number,
  later: (act: () => void) => () => void = afterOtherWork,
): LogSearch {
  const state = createStore<LogSearchState>(() => ({
    answers: undefined,
    matcher: undefined,
    problem: undefined,
    lines: [],
    hits: [],
    isDone: false,
  }));
  let scan = new LineScan({ leastLevel: undefined, matcher: undefined });
  let about: Pick<LogSearchState, 'answers' | 'matcher' | 'problem'> = state.getState();
  let lines: readonly LogLine[] = [];
  let asked = 0;
  let cancel = () => {};

  const run = () => {
    cancel();
    const endMs = now() + SLICE_MS;
    scan.step(() => now() >= endMs);
    const next = { ...about, lines: scan.ofLevel, hits: scan.hits, isDone: scan.isDone };
    const before = state.getState();
    const isSame = (Object.keys(next) as (keyof LogSearchState)[]).every((key) => next[key] === before[key]);
    if (!isSame) state.setState(next);
    if (!scan.isDone) cancel = later(run);
  };
  const take = (now: readonly LogLine[]) => {
    lines = now;
    scan.take(lines);
    run();
  };
  const look = (query: LineQuery, leastLevel: LogLevel | undefined) => {
    const turn = (asked += 1);
    void compileQuery(query).then((compiled) => {
      if (turn !== asked) return;
      const matcher = compiled.kind === 'matcher' ? compiled.matcher : undefined;
      const isAll = compiled.kind === 'all' && leastLevel === undefined;
      about = {
        answers: isAll ? undefined : { ...query, leastLevel },
        matcher,
        problem: compiled.kind === 'invalid' ? compiled.problem : undefined,
      };
      scan = new LineScan({ leastLevel, matcher });
      take(lines);
    });
  };
  const dispose = () => {
    asked += 1;
    cancel();
  };
  return { state, take, look, dispose };
}

function afterOtherWork(act: () => void): () => void {
  const timer = setTimeout(act);
  return () => clearTimeout(timer);
}
