import { z } from 'zod';
import { panelFiguresSchema } from '../../panel-figures.ts';
import { call } from '../call.ts';

/** The app around the panel. */
export const appCalls = {
  /** What the panel itself costs, and how late its main loop is. */
  getPanelFigures: call({ method: 'figures', args: z.tuple([]), result: panelFiguresSchema, texts: 'raw' }),
};
