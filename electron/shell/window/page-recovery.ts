import type { BrowserWindow } from 'electron';

/**
 * Milliseconds between two crashes of the page within which it is reloaded only after a pause, because a crash loop would use
 * a whole core.
 */
const CRASH_LOOP_MS = 10_000;
const CRASH_LOOP_PAUSE_MS = 5000;

/** Returns the delay before a crashed page is loaded again. */
export const reloadDelayMs = (sinceLastCrashMs: number) =>
  sinceLastCrashMs < CRASH_LOOP_MS ? CRASH_LOOP_PAUSE_MS : 0;

/** Reloads the page whenever its process ends. The panel does not depend on the page. */
export function recoverPage(window: BrowserWindow, load: () => void, notice: (line: string) => void): void {
  let lastCrashAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    const delayMs = reloadDelayMs(performance.now() - lastCrashAt);
    lastCrashAt = performance.now();
    notice(`the window's page ended (${reason}, exit code ${exitCode}) and is loaded again`);
    clearTimeout(timer);
    timer = setTimeout(load, delayMs);
  });
  window.on('closed', () => clearTimeout(timer));
}
