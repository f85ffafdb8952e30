import { z } from 'zod';
import { fileToSaveSchema } from '../../file-to-save.ts';
import { panelFiguresSchema } from '../../panel-figures.ts';
import { quitQuestionSchema } from '../../quit-question.ts';
import { systemStateSchema } from '../../system-state.ts';
import { zoomSteps } from '../../app-commands.ts';
import { call } from '../call.ts';

/** Calls about the app outside the panel's core. */
export const appCalls = {
  /** Resource use of the panel itself, and the lag of its main event loop. */
  getPanelFigures: call({ method: 'figures', result: panelFiguresSchema }),
  /** What the operating system permits the app: start at login, and notifications. */
  getSystemState: call({ method: 'systemState', result: systemStateSchema }),
  /** Calls that would be lost by quitting now; null if no quit is pending. The page shows them to the user. */
  getQuitQuestion: call({ method: 'quitQuestion', result: quitQuestionSchema.nullable() }),
  /** Answers the open question whether to quit: true quits, false cancels. No effect if no question is open. */
  answerQuit: call({ method: 'answerQuit', args: [z.boolean()] }),
  /** Zooms the app window by a step, as the menu does; `reset` returns to the actual size. */
  zoomWindow: call({ method: 'zoom', args: [z.enum(zoomSteps)] }),
  /** Shows a context menu at the pointer. The menu copies the selected text, or the row or value at the pointer. */
  showRowMenu: call({
    method: 'rowMenu',
    args: [z.object({ text: z.string().max(20_000), hasSelection: z.boolean() })],
  }),
  /** Lets the user choose where to save a file, and writes it. Returns the file's path; null if the user cancelled. */
  saveFile: call({ method: 'saveFile', args: [fileToSaveSchema], result: z.string().nullable() }),
  /** Copies a picture (PNG in base64) to the system clipboard. */
  copyPicture: call({ method: 'copyPicture', args: [fileToSaveSchema.shape.content] }),
};
