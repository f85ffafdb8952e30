import { parseDate } from 'chrono-node/en';
import { DAY_MS } from '../../shared/units.ts';

/** Maximum length of text to parse, because the time for the library's patterns grows more than linearly with the length. */
const MOST_CHARACTERS = 60;

/**
 * Parses a time that the user typed, such as `03:10`, `yesterday 14:00` or an ISO time, in the time zone of this machine. A
 * time of day means its most recent occurrence. Undefined for a text that is not a time in the past.
 */
export function parseMoment(text: string, now: number): number | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const at = parseDate(text, new Date(now))?.getTime();
  if (at === undefined) return undefined;
  // A time of day that is still to come today means yesterday's.
  return at > now && at - DAY_MS <= now ? at - DAY_MS : at > now ? undefined : at;
}
