import { updateStateSchema, updateStepSchema } from '../../updates.ts';
import { call } from '../call.ts';

/** Calls about newer versions of the panel. */
export const updatesCalls = {
  /** Known state of updates. Sends no network request. */
  getUpdateState: call({ method: 'state', result: updateStateSchema }),
  /**
   * Takes a step of an update and resolves with the new state. A step that does not fit the state changes nothing.
   * `UNREACHABLE` if the step failed.
   */
  takeUpdateStep: call({ method: 'take', args: [updateStepSchema], result: updateStateSchema }),
};
