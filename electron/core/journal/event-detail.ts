import { toldEvent, type EventDetails, type EventKind, type ToldEvent } from '../../../shared/events.ts';
import { boundData, type DataBounds } from '../../../shared/plain-data.ts';
import type { Redact } from './redact.ts';

/** Bounds of a detail. They are low because 500 events cross to the window in one snapshot, and each is a line in a file. */
const BOUNDS: DataBounds = {
  maxDepth: 12,
  maxEntries: 500,
  maxValues: 2000,
  maxTextLength: 16 * 1024,
  maxTotalLength: 64 * 1024,
  cutTexts: 'middle',
};

/**
 * Event as kept and shown: its detail is at most 64 Ki characters of plain data without secrets. Omissions are counted in
 * its field `leftOut`: `{ characters, values, isAtLeast }`.
 */
export function toKeptEvent<K extends EventKind>(
  kind: K,
  detail: EventDetails[K],
  redact: Redact,
): ToldEvent {
  const { value, loss } = boundData(detail, { ...BOUNDS, redact });
  // The detail is redacted once more as a whole, because some secrets are known by the name of their field alone.
  return toldEvent(kind, redact(loss === undefined ? value : { ...value, leftOut: loss }));
}
