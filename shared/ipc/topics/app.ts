import { z } from 'zod';
import { fileToSaveSchema } from '../../file-to-save.ts';
import { panelFiguresSchema } from '../../panel-figures.ts';
import { quitQuestionSchema } from '../../quit-question.ts';
import { systemStateSchema } from '../../system-state.ts';
import { zoomSteps } from '../../app-commands.ts';
import { call } from '../call.ts';

/** Calls about the app outside the panel's core. */
export const appCalls = {
  /** Resource use of the panel itself, and the lateness of its main event loop. */
  getPanelFigures: call({ method: 'figures', result: panelFiguresSchema }),
  /** Permissions of the system for the app: start at login, and notifications. */
  getSystemState: call({ method: 'systemState', result: systemStateSchema }),
  /** Calls that quitting would lose now; null if no quit is pending. The page shows them to the user. */
  getQuitQuestion: call({ method: 'quitQuestion', result: quitQuestionSchema.nullable() }),
  /** Answers the open question: true quits, false cancels. No effect without a question. */
  answerQuit: call({ method: 'answerQuit', args: [z.boolean()] }),
  /** Zooms the app window by a step, as the menu does; `reset` is the actual size. */
  zoomWindow: call({ method: 'zoom', args: [z.enum(zoomSteps)] }),
  /** Shows a menu at the pointer that copies the row or value there, or the selected text. */
  showRowMenu: call({
    method: 'rowMenu',
    args: [z.object({ text: z.string().max(20_000), hasSelection: z.boolean() })],
  }),
  /** Lets the user choose where to save a file, and writes it. Returns the file's path; null if the user cancelled. */
  saveFile: call({ method: 'saveFile', args: [fileToSaveSchema], result: z.string().nullable() }),
  /** Copies a picture, a PNG in base64, to the clipboard of the system. */
  copyPicture: call({ method: 'copyPicture', args: [fileToSaveSchema.shape.content] }),
};
