import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ShownLine } from '../format/log-lines.ts';
import { compileQuery, type LineMatcher, type LineQuery } from '../../shared/line-query.ts';
import { LineScan } from './line-scan.ts';

export interface LogSearchState {
  /** Query to which this result belongs; undefined if the user is not searching. */
  readonly answers: LineQuery | undefined;
  readonly matcher: LineMatcher | undefined;
  /** Reason why the pattern is invalid. All lines are then shown, as without a search. */
  readonly problem: string | undefined;
  /** Matching lines; empty if the user is not searching. */
  readonly hits: readonly ShownLine[];
  readonly isDone: boolean;
}

/** Search over one log. It runs in chunks, so that typing and drawing are not blocked. */
interface PageSearch {
  readonly state: StoreApi<LogSearchState>;
  /** Sets the current lines of the log. */
  take(lines: readonly ShownLine[]): void;
  look(query: LineQuery): void;
  dispose(): void;
}

/** Maximum milliseconds of one chunk: about half a frame. */
export const SLICE_MS = 8;

/**
 * Creates a search in the loaded lines of a log. @param now returns the current time in ms, of any clock @param later runs a
 * function after other pending work; returns a function that cancels that run
 */
export function createLogSearch(
  now: () => number,
  later: (act: () => void) => () => void = afterOtherWork,
): PageSearch {
  const state = createStore<LogSearchState>(() => ({
    answers: undefined,
    matcher: undefined,
    problem: undefined,
    hits: [],
    isDone: false,
  }));
  let scan = new LineScan(undefined);
  let about: Pick<LogSearchState, 'answers' | 'matcher' | 'problem'> = state.getState();
  let lines: readonly ShownLine[] = [];
  let asked = 0;
  let cancel = () => {};

  const run = () => {
    cancel();
    const endMs = now() + SLICE_MS;
    scan.step(() => now() >= endMs);
    const next = { ...about, hits: scan.hits, isDone: scan.isDone };
    const before = state.getState();
    const isSame = (Object.keys(next) as (keyof LogSearchState)[]).every((key) => next[key] === before[key]);
    if (!isSame) state.setState(next);
    if (!scan.isDone) cancel = later(run);
  };
  const take = (now: readonly ShownLine[]) => {
    lines = now;
    scan.take(lines);
    run();
  };
  const look = (query: LineQuery) => {
    const turn = (asked += 1);
    void compileQuery(query).then((compiled) => {
      if (turn !== asked) return;
      const matcher = compiled.kind === 'matcher' ? compiled.matcher : undefined;
      about = {
        answers: compiled.kind === 'all' ? undefined : query,
        matcher,
        problem: compiled.kind === 'invalid' ? compiled.problem : undefined,
      };
      scan = new LineScan(matcher);
      take(lines);
    });
  };
  const dispose = () => {
    asked += 1;
    cancel();
  };
  return { state, take, look, dispose };
}

/** Runs a function after pending work such as drawing and typing; returns a function that cancels it. */
export function afterOtherWork(act: () => void): () => void {
  const timer = setTimeout(act);
  return () => clearTimeout(timer);
}
