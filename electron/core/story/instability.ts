import type { Instability } from '../../../shared/instability.ts';
import { DAY_MS, WEEK_MS } from '../../../shared/units.ts';
/** Number of unplanned ends of runs within a day, or within a week, that makes a server unstable. */
const ENDS_IN_A_DAY = 3;
const ENDS_IN_A_WEEK = 5;

/**
 * Returns the instability of a server at the time `now`; undefined while the server is stable. A server becomes unstable with
 * the third unplanned end of a run within 24 hours, or the fifth within seven days. It is stable again after 24 hours without
 * such an end.
 * @param endsAt times of the unplanned ends, oldest first
 */
export function instabilityAt(endsAt: readonly number[], now: number): Instability | undefined {
  let since: number | undefined;
  let dayFrom = 0;
  let weekFrom = 0;
  endsAt.forEach((at, index) => {
    if (at - (endsAt[index - 1] ?? at) >= DAY_MS) since = undefined;
    while ((endsAt[dayFrom] ?? at) <= at - DAY_MS) dayFrom += 1;
    while ((endsAt[weekFrom] ?? at) <= at - WEEK_MS) weekFrom += 1;
    const isMany = index - dayFrom + 1 >= ENDS_IN_A_DAY || index - weekFrom + 1 >= ENDS_IN_A_WEEK;
    if (isMany) since ??= at;
  });
  const last = endsAt.at(-1);
  if (since === undefined || last === undefined || now - last >= DAY_MS) return undefined;
  const countSince = (from: number) => endsAt.filter((at) => at > from).length;
  return { ends24h: countSince(now - DAY_MS), ends7d: countSince(now - WEEK_MS), since, lastEndAt: last };
}
