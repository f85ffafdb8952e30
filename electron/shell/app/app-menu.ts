import { app, Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { shortcutAction, type ShortcutAction } from './shortcuts.ts';

/** macOS gets the menu it expects of every app; elsewhere there is no menu bar. */
export function installAppMenu(platform: NodeJS.Platform, isDevelopment: boolean): void {
  if (platform !== 'darwin') return Menu.setApplicationMenu(null);
  const developer: MenuItemConstructorOptions[] = isDevelopment
    ? [{ label: 'Develop', submenu: [{ role: 'reload' }, { role: 'toggleDevTools' }] }]
    : [];
  const roles: MenuItemConstructorOptions[] = [
    { role: 'appMenu' },
    { role: 'editMenu' },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...roles, ...developer]));
}

/** The few keys a window without a menu bar must know. */
export function installShortcuts(window: BrowserWindow, isDevelopment: boolean): void {
  if (process.platform === 'darwin') return;
  window.webContents.on('before-input-event', (event, input) => {
    const action = shortcutAction(input, isDevelopment);
    if (action === undefined) return;
    event.preventDefault();
    perform(action, window);
  });
}

function perform(action: ShortcutAction, window: BrowserWindow): void {
  switch (action) {
    case 'quit':
      return app.quit();
    case 'close-window':
      return window.close();
    case 'reload':
      return window.webContents.reload();
    case 'toggle-devtools':
      return window.webContents.toggleDevTools();
  }
}
