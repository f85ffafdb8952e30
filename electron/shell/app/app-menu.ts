import { app, Menu, type BrowserWindow } from 'electron';
import { version } from '../../../package.json';
import type { AppCommand } from '../../../shared/app-commands.ts';
import { menuTemplate, shortcutCommand, type MenuActions, type Zoom } from './menu-template.ts';

/** Installs the menu. macOS gets the standard menu of an app; other systems get no menu bar. */
export function installAppMenu(actions: MenuActions): void {
  app.setAboutPanelOptions({ applicationName: app.getName(), applicationVersion: version });
  if (process.platform !== 'darwin') return Menu.setApplicationMenu(null);
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(!app.isPackaged, actions)));
}

/** Handles the few shortcuts of a window without a menu bar. */
export function installShortcuts(window: BrowserWindow, zoom: Zoom): void {
  if (process.platform === 'darwin') return;
  const page = window.webContents;
  const actions: Readonly<Record<AppCommand['id'], () => void>> = {
    quit: () => app.quit(),
    'close-window': () => window.close(),
    reload: () => page.reload(),
    'toggle-devtools': () => page.toggleDevTools(),
    'zoom-in': () => zoom('in'),
    'zoom-out': () => zoom('out'),
    'zoom-reset': () => zoom('reset'),
  };
  page.on('before-input-event', (event, input) => {
    const command = shortcutCommand(input, !app.isPackaged);
    if (command === undefined) return;
    event.preventDefault();
    actions[command.id]();
  });
}
