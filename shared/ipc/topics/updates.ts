import { z } from 'zod';
import { updateStateSchema, updateStepSchema } from '../../updates.ts';
import { call } from '../call.ts';

/** Calls about newer versions of the panel. */
export const updatesCalls = {
  /** Known state of updates. Sends no request. */
  getUpdateState: call({ method: 'state', args: z.tuple([]), result: updateStateSchema }),
  /** Takes a step and resolves with the new state; an invalid step changes nothing. `UNREACHABLE` when it failed. */
  takeUpdateStep: call({ method: 'take', args: z.tuple([updateStepSchema]), result: updateStateSchema }),
};
