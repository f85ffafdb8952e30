import { app, dialog, type BrowserWindow } from 'electron';
import { extname, join } from 'node:path';

/** Asks the user with the system's dialog where to save a file. Undefined if cancelled. */
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
