import { z } from 'zod';
import { updateStateSchema, updateStepSchema } from '../../updates.ts';
import { call } from '../call.ts';

/** Newer versions of the panel. */
export const updatesCalls = {
  /** What is known of them. Asks nobody. */
  getUpdateState: call({ method: 'state', args: z.tuple([]), result: updateStateSchema }),
  /** Resolves with what is known then; a step that does not follow changes nothing. `UNREACHABLE` when it failed. */
  takeUpdateStep: call({ method: 'take', args: z.tuple([updateStepSchema]), result: updateStateSchema }),
};
