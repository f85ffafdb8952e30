import { app, Menu, type BrowserWindow } from 'electron';
import { menuTemplate, type Zoom } from './menu-template.ts';
import { shortcutAction, type ShortcutAction } from './shortcuts.ts';

/** macOS gets the menu it expects of every app; elsewhere there is no menu bar. */
export function installAppMenu(platform: NodeJS.Platform, isDevelopment: boolean, zoom: Zoom): void {
  if (platform !== 'darwin') return Menu.setApplicationMenu(null);
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(isDevelopment, zoom)));
}

/** The few keys a window without a menu bar must know. */
export function installShortcuts(window: BrowserWindow, isDevelopment: boolean, zoom: Zoom): void {
  if (process.platform === 'darwin') return;
  window.webContents.on('before-input-event', (event, input) => {
    const action = shortcutAction(input, isDevelopment);
    if (action === undefined) return;
    event.preventDefault();
    perform(action, window, zoom);
  });
}

function perform(action: ShortcutAction, window: BrowserWindow, zoom: Zoom): void {
  switch (action) {
    case 'quit':
      return app.quit();
    case 'close-window':
      return window.close();
    case 'reload':
      return window.webContents.reload();
    case 'toggle-devtools':
      return window.webContents.toggleDevTools();
    case 'zoom-in':
      return zoom('in');
    case 'zoom-out':
      return zoom('out');
    case 'zoom-reset':
      return zoom('reset');
  }
}
