import type { BrowserWindow } from 'electron';

/**
 * Brings a window to the front. Wayland does not report that a window is minimised and does not let a program restore it, but
 * it does show new windows. Therefore a window that the panel minimised itself is hidden first.
 * @param wasMinimised whether the panel minimised it, and it has had no focus since
 */
export function bringBack(
  window: Pick<BrowserWindow, 'isMinimized' | 'restore' | 'hide' | 'show' | 'focus'>,
  wasMinimised: boolean,
): void {
  if (window.isMinimized()) window.restore();
  else if (wasMinimised) window.hide();
  window.show();
  window.focus();
}

type HiddenWindow = Pick<BrowserWindow, 'hide' | 'isDestroyed' | 'isFullScreen' | 'setFullScreen'> & {
  once(event: 'leave-full-screen', listener: () => void): unknown;
};

/**
 * Hides the window. On macOS, a full-screen window leaves full screen first, because otherwise its space would remain, black
 * and empty.
 */
export function hideWindow(window: HiddenWindow, platform: NodeJS.Platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) return window.hide();
  window.once('leave-full-screen', () => {
    if (!window.isDestroyed()) window.hide();
  });
  window.setFullScreen(false);
}

/**
 * Calls `onChange` when the window becomes visible or hidden, never twice with the same value. The window is assumed to be
 * hidden at first.
 */
export function watchVisibility(window: BrowserWindow, onChange: (isVisible: boolean) => void): void {
  let wasVisible = false;
  const tell = (isVisible: boolean) => {
    if (isVisible === wasVisible) return;
    wasVisible = isVisible;
    onChange(isVisible);
  };
  const look = () => tell(window.isVisible() && !window.isMinimized());
  // On macOS, "show" and "hide" are also emitted when other windows uncover or cover this one.
  window.on('show', look);
  window.on('hide', look);
  window.on('minimize', look);
  window.on('restore', look);
  window.on('closed', () => tell(false));
}

/**
 * Milliseconds between two crashes of the page within which it is reloaded only after a pause, because a crash loop would use
 * a whole core.
 */
const CRASH_LOOP_MS = 10_000;
const CRASH_LOOP_PAUSE_MS = 5000;

/** Returns the delay before a crashed page is loaded again. */
export const reloadDelayMs = (sinceLastCrashMs: number) =>
  sinceLastCrashMs < CRASH_LOOP_MS ? CRASH_LOOP_PAUSE_MS : 0;

/** Reloads the page whenever its process ends. The panel itself does not depend on the page. */
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

/**
 * Calls `onEnd` each time a page of the window ends because it is reloaded, replaced or closed, or crashes. A page that is
 * hidden does not end.
 */
export function watchPageEnd(window: BrowserWindow, onEnd: () => void): void {
  // This event is emitted only when the next page has replaced the page, so a failed load cancels no call. Navigation within a
  // page has a different event.
  window.webContents.on('did-navigate', onEnd);
  window.webContents.on('render-process-gone', onEnd);
  window.on('closed', onEnd);
}
