import type { AlertRule, QuietHours } from '../../../shared/alerts.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/units.ts';

/** Milliseconds for which a condition must not hold before its episode ends. Shorter gaps belong to the episode. */
const ABSENCE_MS = MINUTE_MS;

/** Period in which the condition of a rule holds for one server. Times are monotonic ms. */
export interface Episode {
  readonly sinceMs: number;
  /** Last time at which the condition was seen to hold. */
  readonly heldMs: number;
  readonly holds: boolean;
  /** Text about the condition, from the last time it held. */
  readonly detail?: string | undefined;
  readonly sentMs?: number | undefined;
  /** True if an alert is due but waits for the end of the quiet hours. */
  readonly isDue?: boolean;
}

/** Updates an episode with the result of a check. Returns undefined if none existed and the condition does not hold. */
export function seen(
  before: Episode | undefined,
  holds: boolean,
  nowMs: number,
  detail?: string,
): Episode | undefined {
  if (holds) return { sinceMs: nowMs, ...before, heldMs: nowMs, holds, ...(detail && { detail }) };
  return before && { ...before, heldMs: before.holds ? nowMs : before.heldMs, holds };
}

interface Step {
  /** Undefined when the episode has ended. */
  readonly episode: Episode | undefined;
  /** True if an alert must be sent now. */
  readonly sends: boolean;
}

/** Updates an episode by the current time and decides whether to alert. In quiet hours alerts wait, even if the episode ends. */
export function step(
  episode: Episode,
  { lastsMinutes, repeatHours }: Pick<AlertRule, 'lastsMinutes' | 'repeatHours'>,
  nowMs: number,
  isQuiet: boolean,
): Step {
  const heldMs = episode.holds ? nowMs : episode.heldMs;
  const { sinceMs, sentMs, holds } = episode;
  const isFirst = sentMs === undefined && heldMs - sinceMs >= lastsMinutes * MINUTE_MS;
  const isAgain =
    sentMs !== undefined && repeatHours > 0 && heldMs > sentMs && nowMs - sentMs >= repeatHours * HOUR_MS;
  const isDue = isFirst || isAgain || episode.isDue === true;
  if (isDue && isQuiet) return { episode: { ...episode, heldMs, isDue }, sends: false };
  const isOver = !holds && nowMs - heldMs >= ABSENCE_MS;
  const next = { ...episode, heldMs, isDue: false, ...(isDue && { sentMs: nowMs }) };
  return { episode: isOver ? undefined : next, sends: isDue };
}

/** Whether a local time is within the quiet hours. `from` equal to `to` means no quiet hours. */
export function isQuietAt(quiet: QuietHours | undefined, at: Date): boolean {
  if (quiet === undefined) return false;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  const { from, to } = quiet;
  return from <= to ? from <= time && time < to : from <= time || time < to;
}

const two = (value: number): string => String(value).padStart(2, '0');
