import { z } from 'zod';
import { snapshotSchema } from '../../domain.ts';
import { call } from '../call.ts';

/** The panel as a whole. */
export const panelCalls = {
  getSnapshot: call({ method: 'getSnapshot', args: z.tuple([]), result: snapshotSchema }),
};
