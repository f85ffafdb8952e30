import { z } from 'zod';
import { isJsonObject } from './json-object.ts';

/** Object passed through unchanged, because `z.record` would leave out a field called "__proto__". */
export const jsonObjectSchema = z.custom<Record<string, unknown>>(isJsonObject, {
  error: 'expected an object',
});
