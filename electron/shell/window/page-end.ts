import type { BrowserWindow } from 'electron';

/** Tells each time a page of the window is gone: reloaded, replaced, crashed, or closed with it. Hiding keeps it. */
export function watchPageEnd(window: BrowserWindow, onEnd: () => void): void {
  // Once the next page has taken its place, so that a load that comes to nothing costs no call. Within a page, Electron
  // calls it something else.
  window.webContents.on('did-navigate', onEnd);
  window.webContents.on('render-process-gone', onEnd);
  window.on('closed', onEnd);
}
