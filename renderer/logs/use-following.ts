import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { useStore } from 'zustand/react';
import { indexUpTo } from './line-scan.ts';
import { LogFollower, type RenderedLog } from './log-follower.ts';
import { isDivider, type LogRow } from './log-rows.ts';

export interface Following {
  readonly follower: LogFollower;
  readonly isAtEnd: boolean;
  /** Lines below what was last seen at the end. */
  readonly newCount: number;
}

/** Keeps a log where its reader wants it. */
export function useFollowing(
  scroller: RefObject<HTMLElement | null>,
  log: Omit<RenderedLog, 'scroller'>,
): Following {
  const [follower] = useState(() => new LogFollower());
  const leftAt = useStore(follower.state, (state) => state.leftAt);
  useLayoutEffect(() => {
    if (scroller.current !== null) follower.rendered({ ...log, scroller: scroller.current });
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const resized = new ResizeObserver(() => follower.resized());
    resized.observe(element);
    return () => {
      resized.disconnect();
      follower.dispose();
    };
  }, [scroller, follower]);
  // Where lines are left out on the way to the newest one, nobody knows how many there are.
  const newCount =
    leftAt === undefined || leftAt === -Infinity || !log.isTail ? 0 : linesAfter(log.rows, leftAt);
  return { follower, isAtEnd: leftAt === undefined, newCount };
}

function linesAfter(rows: readonly LogRow[], id: number): number {
  return rows.slice(indexUpTo(rows, id) + 1).filter((row) => !isDivider(row)).length;
}
