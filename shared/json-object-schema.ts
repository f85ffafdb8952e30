import { z } from 'zod';
import { isJsonObject } from './json-object.ts';

/** Any object as it is. `z.record` would leave out a field called "__proto__", with whatever it holds. */
export const jsonObjectSchema = z.custom<Record<string, unknown>>(isJsonObject, {
  error: 'expected an object',
});
