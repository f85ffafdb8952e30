import { z } from 'zod';
import { fileToSaveSchema } from '../../file-to-save.ts';
import { panelFiguresSchema } from '../../panel-figures.ts';
import { quitQuestionSchema } from '../../quit-question.ts';
import { systemStateSchema } from '../../system-state.ts';
import { zoomSteps } from '../../app-commands.ts';
import { call } from '../call.ts';

/** The app around the panel. */
export const appCalls = {
  /** What the panel itself costs, and how late its main loop is. */
  getPanelFigures: call({ method: 'figures', args: z.tuple([]), result: panelFiguresSchema, texts: 'raw' }),
  /** What the system allows the app: its start at login, and notifications. */
  getSystemState: call({ method: 'systemState', args: z.tuple([]), result: systemStateSchema }),
  /** What quitting would lose as of now; null unless somebody wants to quit. Whoever asks shows it to the person. */
  getQuitQuestion: call({ method: 'quitQuestion', args: z.tuple([]), result: quitQuestionSchema.nullable() }),
  /** True quits, false goes on. Nothing happens unless the question is open. */
  answerQuit: call({ method: 'answerQuit', args: z.tuple([z.boolean()]) }),
  /** Enlarges or shrinks everything in the window by a step, as the menu does; `reset` is the actual size. */
  zoomWindow: call({ method: 'zoom', args: z.tuple([z.enum(zoomSteps)]) }),
  /** Asks the person where to save a file, and writes it there. Gives its path; null where the person thought better of it. */
  saveFile: call({ method: 'saveFile', args: z.tuple([fileToSaveSchema]), result: z.string().nullable() }),
};
