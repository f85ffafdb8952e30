import type { BrowserWindow } from 'electron';

/** Tells each time a page of the window is gone: reloaded, replaced, crashed, or closed with it. Hiding keeps it. */
export function watchPageEnd(window: BrowserWindow, onEnd: () => void): void {
  // This event comes once the next page has taken its place, so a load that comes to nothing costs no call. Navigation
  // within a page has an event of another name.
  window.webContents.on('did-navigate', onEnd);
  window.webContents.on('render-process-gone', onEnd);
  window.on('closed', onEnd);
}
