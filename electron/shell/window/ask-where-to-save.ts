import { app, dialog, type BrowserWindow } from 'electron';
import { extname, join } from 'node:path';

/** Asks a person with the dialog of the system, in front of the window, where to save a file. Undefined where they cancel. */
export async function askWhereToSave(
  name: string,
  window: BrowserWindow | undefined,
): Promise<string | undefined> {
  const ending = extname(name).slice(1);
  const options = {
    defaultPath: join(app.getPath('downloads'), name),
    filters: [{ name: ending.toUpperCase(), extensions: [ending] }],
  };
  const { canceled, filePath } = await (window === undefined
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(window, options));
  // A cancelled dialog has an empty path, or none.
  return canceled || !filePath ? undefined : filePath;
}
