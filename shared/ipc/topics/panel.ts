import { snapshotSchema } from '../../domain.ts';
import { call } from '../call.ts';

/** Calls about the panel as a whole. */
export const panelCalls = {
  getSnapshot: call({ method: 'getSnapshot', result: snapshotSchema }),
};
