import type { CallUsageRow } from '../../shared/call-usage.ts';
import type { PanelEvent } from '../../shared/events.ts';
import type { CallBucket } from '../../shared/history.ts';
import { DAY_MS } from '../../shared/units.ts';
/** Number of days without a call after which a running server counts as unused. */
export const UNUSED_DAYS = 30;

/** Number of days without a call after which the app window offers to let a server sleep. */
export const SLEEP_OFFER_DAYS = 7;

/** Recent calls of a server. */
export interface Called {
  /** Number of calls in the last hour, and how many of them failed. */
  readonly calls: number;
  readonly errors: number;
  /** Time of the last call; undefined if no call is stored. */
  readonly lastAt?: number | undefined;
  /** Time of the last call, or else of the first known start; undefined if neither is known or no server has stored calls. */
  readonly unusedSince?: number | undefined;
}

/** Returns the number of whole days without a call of a server; 0 if this is not known. */
export const unusedDays = (called: Pick<Called, 'unusedSince'> | undefined, now: number): number =>
  called?.unusedSince === undefined ? 0 : Math.floor((now - called.unusedSince) / DAY_MS);

interface CalledSources {
  readonly names: readonly string[];
  /** Calls by server, as far back as calls are stored. Undefined until the calls are read. */
  readonly rows: readonly CallUsageRow[] | undefined;
  /** Starts that are older than `UNUSED_DAYS`, oldest first. */
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
