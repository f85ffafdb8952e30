import { parseDate } from 'chrono-node/en';
import { DAY_MS } from '../../shared/units.ts';

/** Longest text that is read, because the patterns of the library take more than proportional time. */
const MOST_CHARACTERS = 60;

/**
 * Moment that a person wrote, such as `03:10`, `yesterday 14:00` or an ISO time, in the zone of this machine; the last one that
 * there was. Undefined for any other text.
 */
export function parseMoment(text: string, now: number): number | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const at = parseDate(text, new Date(now))?.getTime();
  if (at === undefined) return undefined;
  // A time of day that is yet to come was meant of yesterday.
  return at > now && at - DAY_MS <= now ? at - DAY_MS : at > now ? undefined : at;
}
