import { updateStateSchema, updateStepSchema } from '../../updates.ts';
import { call } from '../call.ts';

/** Calls about newer versions of the panel. */
export const updatesCalls = {
  /** Known state of updates. Sends no network request. */
  getUpdateState: call({ method: 'state', result: updateStateSchema }),
  /** Takes a step of an update and resolves with the new state, unchanged if the step does not fit. `UNREACHABLE` on failure. */
  takeUpdateStep: call({ method: 'take', args: [updateStepSchema], result: updateStateSchema }),
};
