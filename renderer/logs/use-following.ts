import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { useStore } from 'zustand/react';
import { indexUpTo } from './line-scan.ts';
import { LogFollower, type RenderedLog } from './log-follower.ts';
import { isDivider, type LogRow } from './log-rows.ts';

export interface Following {
  readonly follower: LogFollower;
  readonly isAtEnd: boolean;
  /** Number of lines below the last line that was seen at the end. */
  readonly newCount: number;
}

/** Keeps a log scrolled to the position that its reader chose. */
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
  // The number of new lines is unknown while the held lines do not reach the newest line.
  const newCount =
    leftAt === undefined || leftAt === -Infinity || !log.isTail ? 0 : linesAfter(log.rows, leftAt);
  return { follower, isAtEnd: leftAt === undefined, newCount };
}

function linesAfter(rows: readonly LogRow[], id: number): number {
  return rows.slice(indexUpTo(rows, id) + 1).filter((row) => !isDivider(row)).length;
}
