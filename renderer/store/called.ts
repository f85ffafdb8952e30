import type { CallUsageRow } from '../../shared/call-usage.ts';
import type { PanelEvent } from '../../shared/events.ts';
import type { CallBucket } from '../../shared/history.ts';
import { DAY_MS } from '../../shared/units.ts';
/** Days without a call after which a server that runs is not used. */
export const UNUSED_DAYS = 30;

/** Days without a call after which the window offers to let a server sleep. */
export const SLEEP_OFFER_DAYS = 7;

/** How a server was called lately. */
export interface Called {
  /** Calls of the last hour, and how many of them failed. */
  readonly calls: number;
  readonly errors: number;
  /** Last call; undefined if none is kept. */
  readonly lastAt?: number | undefined;
  /** Last call, or the first start that is known; undefined if other servers were not called either. */
  readonly unusedSince?: number | undefined;
}

/** Whole days for which nobody called a server; 0 for one of which that is not known. */
export const unusedDays = (called: Pick<Called, 'unusedSince'> | undefined, now: number): number =>
  called?.unusedSince === undefined ? 0 : Math.floor((now - called.unusedSince) / DAY_MS);

interface CalledSources {
  readonly names: readonly string[];
  /** Calls of the kept time by server; undefined until they are read. */
  readonly rows: readonly CallUsageRow[] | undefined;
  /** Starts before the last `UNUSED_DAYS`, oldest first. */
  readonly starts: readonly PanelEvent[] | undefined;
  readonly hourOf: (server: string) => {
    readonly from: number;
    readonly stepMs: number;
    readonly buckets: readonly CallBucket[];
  };
}

export function calledServers({ names, rows, starts, hourOf }: CalledSources): ReadonlyMap<string, Called> {
  const lastAts = new Map(rows?.map(({ server, lastAt }) => [server, lastAt]));
  const firstAts = new Map(starts?.toReversed().map(({ server, at }) => [server, at]));
  return new Map(
    names.map((name) => {
      const { from, stepMs, buckets } = hourOf(name);
      const [last] = buckets.slice(-1);
      const lastAt = last ? from + (last.index + 1) * stepMs : lastAts.get(name);
      const sum = (of: 'calls' | 'errors') => buckets.reduce((all, bucket) => all + bucket[of], 0);
      const unusedSince = lastAts.size === 0 ? undefined : (lastAt ?? firstAts.get(name));
      return [name, { calls: sum('calls'), errors: sum('errors'), lastAt, unusedSince }];
    }),
  );
}
