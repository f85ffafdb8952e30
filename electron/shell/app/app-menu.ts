import { app, Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import type { ZoomStep } from '../../../shared/zoom-steps.ts';
import { shortcutAction, type ShortcutAction } from './shortcuts.ts';

type Zoom = (step: ZoomStep) => void;

/** macOS gets the menu it expects of every app; elsewhere there is no menu bar. */
export function installAppMenu(platform: NodeJS.Platform, isDevelopment: boolean, zoom: Zoom): void {
  if (platform !== 'darwin') return Menu.setApplicationMenu(null);
  const developer: MenuItemConstructorOptions[] = isDevelopment
    ? [{ label: 'Develop', submenu: [{ role: 'reload' }, { role: 'toggleDevTools' }] }]
    : [];
  const roles: MenuItemConstructorOptions[] = [
    { role: 'appMenu' },
    { role: 'editMenu' },
    { label: 'View', submenu: zoomItems(zoom) },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...roles, ...developer]));
}

/** Items of the zoom. Hidden ones carry the other keys that people press for it, the pad of digits among them. */
function zoomItems(zoom: Zoom): MenuItemConstructorOptions[] {
  const item = (label: string, step: ZoomStep, accelerator: string, visible = true) => ({
    label,
    accelerator,
    visible,
    acceleratorWorksWhenHidden: true,
    click: () => zoom(step),
  });
  return [
    item('Actual Size', 'reset', 'CommandOrControl+0'),
    item('Zoom In', 'in', 'CommandOrControl+Plus'),
    item('Zoom Out', 'out', 'CommandOrControl+-'),
    item('Zoom In', 'in', 'CommandOrControl+=', false),
    item('Actual Size', 'reset', 'CommandOrControl+num0', false),
    item('Zoom In', 'in', 'CommandOrControl+numadd', false),
    item('Zoom Out', 'out', 'CommandOrControl+numsub', false),
  ];
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
