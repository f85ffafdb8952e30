import { z } from 'zod';
import { settingsSchema } from '../../settings.ts';
import { call } from '../call.ts';
import { jsonObjectSchema } from '../../json-object-schema.ts';

/** What a person decides about the panel itself. */
export const settingsCalls = {
  getSettings: call({
    method: 'get',
    args: z.tuple([]),
    result: z.object({ settings: settingsSchema }),
    texts: 'raw',
  }),
  /** Sets what the patch names. */
  putSettings: call({ method: 'update', args: z.tuple([jsonObjectSchema]) }),
};
