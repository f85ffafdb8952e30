import type { BrowserWindow } from 'electron';

/**
 * Brings a window to the front. Wayland does not report that a window is minimised and does not let a program restore it, but
 * it treats a window that is shown after being hidden as a new one, which it does show. A window that the panel itself
 * minimised is therefore hidden first.
 * @param wasMinimised true if the panel minimised the window, and the window has not had the focus since
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
 * Hides the window. On macOS, a full-screen window must leave full screen first. Otherwise its space (the virtual desktop of a
 * full-screen window) would remain, black and empty.
 */
export function hideWindow(window: HiddenWindow, platform: NodeJS.Platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) return window.hide();
  window.once('leave-full-screen', () => {
    if (!window.isDestroyed()) window.hide();
  });
  window.setFullScreen(false);
}

/** Calls `onChange` when the window is shown or hidden, never twice with the same value. Assumes it is hidden at first. */
export function watchVisibility(window: BrowserWindow, onChange: (isVisible: boolean) => void): void {
  let wasVisible = false;
  const tell = (isVisible: boolean) => {
    if (isVisible === wasVisible) return;
    wasVisible = isVisible;
    onChange(isVisible);
  };
  const look = () => tell(window.isVisible() && !window.isMinimized());
  // On macOS, these two events are also emitted when other windows uncover or cover this one. The state is therefore checked at
  // each event.
  window.on('show', look);
  window.on('hide', look);
  window.on('minimize', look);
  window.on('restore', look);
  window.on('closed', () => tell(false));
}

/**
 * If the page crashes again within this time in ms, it is reloaded only after a pause. A page that crashes again and again
 * would otherwise keep a CPU core busy.
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

/** Calls `onEnd` each time a page of the window is reloaded, replaced or closed, or crashes. A hidden page has not ended. */
export function watchPageEnd(window: BrowserWindow, onEnd: () => void): void {
  // `did-navigate` is emitted only after the next page has replaced the current one, so a load that fails does not cancel the
  // page's calls. Navigation within a page emits a different event.
  window.webContents.on('did-navigate', onEnd);
  window.webContents.on('render-process-gone', onEnd);
  window.on('closed', onEnd);
}
