import { panelEventSchema } from './domain.ts';
import { serverNameSchema } from './server-config.ts';

/** The deepest that any detail of ours goes is 5; what is cloned, redacted or drawn calls itself once per level. */
const MAX_DEPTH = 16;
/** Values in one detail, lists and objects included. */
const MAX_VALUES = 4000;
/** Milliseconds since 1970: until the year 2286, so that ids of 14 digits go on to sort by time. */
const MAX_EPOCH_MS = 9_999_999_999_999;
const ID = /^0\d{13}-\d{8}-[0-9A-Za-z]{1,64}$/;

/**
 * An event as an earlier launch wrote it. A file is held to more than our own code is: whoever can write it must not be
 * able to stop the window by a detail that cannot be cloned, or by a time that is no date.
 */
export const earlierEventSchema = panelEventSchema
  .extend({
    id: panelEventSchema.shape.id.regex(ID),
    at: panelEventSchema.shape.at.int().min(0).max(MAX_EPOCH_MS),
    server: serverNameSchema.nullable(),
  })
  .refine(({ detail }) => isBoundedData(detail), { error: 'the detail is too deep or too long' });

/** Whether JSON data is neither deeper nor longer than an event of ours. */
export function isBoundedData(data: unknown): boolean {
  let level: readonly unknown[] = [data];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > MAX_DEPTH || count > MAX_VALUES) return false;
    level = level.flatMap(valuesOf);
  }
  return true;
}

function valuesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
