import { z } from 'zod';
import { settingsSchema } from '../../settings.ts';
import { call } from '../call.ts';
import { jsonObjectSchema } from '../../json-object-schema.ts';

/** Calls about the user's settings of the panel itself. */
export const settingsCalls = {
  getSettings: call({ method: 'get', result: z.object({ settings: settingsSchema }) }),
  /** Sets the fields that the patch contains, and keeps all other settings. */
  putSettings: call({ method: 'update', args: [jsonObjectSchema] }),
};
