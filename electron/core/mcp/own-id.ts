/** Ids are counted from 0; fifteen digits are more than anybody counts, and exact. */
const NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/**
 * The number of ours that an id or a progress token in a server's message stands for: some servers give numbers back as
 * text. Undefined for what cannot be one of ours.
 */
export function ownIdOf(id: unknown): number | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
  return typeof id === 'string' && NUMBER.test(id) ? Number(id) : undefined;
}
