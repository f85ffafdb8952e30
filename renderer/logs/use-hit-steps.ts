import { useEffect, useState } from 'react';
import { indexOfId, indexUpTo } from './line-scan.ts';
import type { LogSearchState } from './log-search.ts';
import type { WindowSide } from './log-window.ts';

/** Line to scroll to. */
export interface LogTarget {
  readonly id: number;
  /** True if the user only typed a search without stepping to the line. The log then scrolls back when the search ends. */
  readonly isPeek: boolean;
}

export interface HitSteps {
  /** Position of the current match among the matching lines, starting from 1; 0 without a match. */
  readonly nth: number;
  readonly target: LogTarget | undefined;
  readonly step: (by: 1 | -1) => void;
  goTo(id: number): void;
}

/**
 * Lets the user step from one matching line to the next. Starts at the newest match, and wraps around at the ends. @param
 * beyond searches for a match outside the loaded lines; returns whether the log has such lines
 */
export function useHitSteps(
  { answers, hits, matcher, isDone }: LogSearchState,
  beyond: (side: WindowSide, goTo: (id: number) => void) => boolean,
): HitSteps {
  const [chosen, setChosen] = useState<{
    readonly answers: object | undefined;
    readonly target: LogTarget;
  }>();
  const isChosen = chosen !== undefined && chosen.answers === answers;
  const newest = hits.at(-1)?.id;
  const chosenIndex = isChosen ? indexOfId(hits, chosen.target.id) : -1;
  // The match found first remains the target, even if newer matches arrive.
  if (!isChosen && matcher !== undefined && isDone && newest !== undefined)
    setChosen({ answers, target: { id: newest, isPeek: true } });

  const goTo = (id: number) => setChosen({ answers, target: { id, isPeek: false } });
  const step = (by: 1 | -1) => {
    if (matcher === undefined) return;
    if (hits.length === 0) return void (beyond('older', goTo) || beyond('newer', goTo));
    const at = chosen === undefined ? hits.length - 1 : indexUpTo(hits, chosen.target.id);
    // If the target line itself does not match, `at` is already the last match before it, so a step back must not skip that
    // match.
    const next = by === -1 && chosenIndex === -1 ? at : at + by;
    const isInside = next >= 0 && next < hits.length;
    if (!isInside && beyond(by === 1 ? 'newer' : 'older', goTo)) return;
    const hit = hits[(next + hits.length) % hits.length];
    if (hit !== undefined) goTo(hit.id);
  };

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'F3' || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
  return { nth: chosenIndex + 1, target: isChosen ? chosen.target : undefined, step, goTo };
}
