import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { cpus } from 'node:os';
import { app, clipboard, ClipboardItem, dialog, nativeImage, type NativeImage } from 'electron';
import type { ControlPanel } from '../core/panel/control-panel.ts';
import { readUsage } from '../core/platform/ps/pidusage-reader.ts';
import { systemClock } from '../core/platform/system-clock.ts';
import { memoryOfProcesses } from '../core/platform/tree-memory.ts';
import { releaseAll, type ReleaseOptions } from '../core/quit.ts';
import type { ShellAnswerers } from './ipc/call-handlers.ts';
import type { Notifier } from './notifications/notifier.ts';
import { rowMenuItems } from './window/context-menu.ts';
import type { PanelWindow } from './window/panel-window.ts';
import { saveFile } from './window/save-file.ts';
import type { AppliedSettings } from './app/apply-settings.ts';
import { AppUsage } from './app/process-usage.ts';
import type { QuitAsker } from './app/quit-question.ts';
import { Updates } from './updates/updates.ts';

interface AppCallParts {
  readonly releasing: ReleaseOptions;
  readonly panel: Promise<ControlPanel>;
  readonly window: PanelWindow;
  readonly settings: AppliedSettings;
  readonly notifier: Notifier;
  readonly quitAsker: QuitAsker;
}

/** Handles the calls of the page that the app answers instead of the core. */
export function answersOfShell(parts: AppCallParts): ShellAnswerers {
  const { panel, window, settings, notifier, quitAsker, releasing } = parts;
  const usage = new AppUsage({
    clock: systemClock,
    metrics: () => app.getAppMetrics(),
    coreCount: cpus().length,
    // On Windows, reading the usage would start a PowerShell, so Chromium's figures are shown there.
    readUsage: process.platform === 'win32' ? undefined : readUsage,
    memoryOf: (pids) => memoryOfProcesses(pids),
  });
  // Nothing related to updates is read or loaded before the first query.
  const updates = new Updates({
    facts: () => ({ isPackaged: app.isPackaged, platform: process.platform, feed: readFeed() }),
    loadEngine: async () => (await import('./updates/update-engine.ts')).createUpdateEngine(),
    release: () => releaseAll(releasing),
    quit: () => app.quit(),
    notice: releasing.notice,
  });
  const own: ShellAnswerers['app'] = {
    figures: async () => ({ ...(await usage.look()), loop: (await panel).loopLateness() }),
    quitQuestion: () => quitAsker.taken(),
    answerQuit: (isYes) => quitAsker.answer(isYes),
    zoom: (step) => window.zoom(step),
    rowMenu: (row) => window.showMenu(rowMenuItems(row, (text) => void clipboard.writeText(text))),
    saveFile: (file) => saveFile(file, (name) => askWhereToSave(name, window)),
    copyPicture,
    systemState: async () => ({
      startAtLogin: await settings.loginState(),
      ...(notifier.problem !== undefined && { notificationProblem: notifier.problem }),
    }),
  };
  return { updates, app: own };
}

/** Reads a file next to the package's archive; the file exists only in builds with an update feed. */
function readFeed(): string | undefined {
  try {
    return readFileSync(join(process.resourcesPath, 'app-update.yml'), 'utf8');
  } catch {
    return undefined;
  }
}

/** Asks the user in the system's dialog where to save a file. Returns undefined if cancelled. */
async function askWhereToSave(
  name: string,
  { browserWindow: window }: PanelWindow,
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

/** Clipboard API of older Electron versions, used if the current one is not available. */
interface OlderClipboard {
  writeImage(image: NativeImage): void;
}

/** Copies a picture, a PNG in base64, to the system's clipboard. */
async function copyPicture(png: string): Promise<void> {
  const bytes = Buffer.from(png, 'base64');
  const { writeImage } = clipboard as unknown as Partial<OlderClipboard>;
  if (writeImage !== undefined) return writeImage.call(clipboard, nativeImage.createFromBuffer(bytes));
  await clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);
}
