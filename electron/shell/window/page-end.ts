import type { BrowserWindow } from 'electron';

/** Calls `onEnd` each time a page of the window ends: reloaded, replaced, crashed, or closed. Hiding keeps it. */
export function watchPageEnd(window: BrowserWindow, onEnd: () => void): void {
  // This event comes once the next page has replaced it, so a failed load cancels no call. Navigation within a page has a
  // different event.
  window.webContents.on('did-navigate', onEnd);
  window.webContents.on('render-process-gone', onEnd);
  window.on('closed', onEnd);
}
