import type { MenuItemConstructorOptions } from 'electron';
import { appCommands, type ZoomStep } from '../../../shared/app-commands.ts';

export type Zoom = (step: ZoomStep) => void;

/** The menu bar of macOS, as people know it from every app: ⌘W closes the window, ⌃⌘F fills the screen. */
export function menuTemplate(isDevelopment: boolean, zoom: Zoom): MenuItemConstructorOptions[] {
  const developer: MenuItemConstructorOptions[] = isDevelopment
    ? [{ label: 'Develop', submenu: [{ role: 'reload' }, { role: 'toggleDevTools' }] }]
    : [];
  return [
    { role: 'appMenu' },
    { role: 'fileMenu' },
    { role: 'editMenu' },
    { label: 'View', submenu: [...zoomItems(zoom), { type: 'separator' }, { role: 'togglefullscreen' }] },
    { role: 'windowMenu' },
    ...developer,
  ];
}

const zoomOrder: readonly ZoomStep[] = ['reset', 'in', 'out'];

/** Items of the zoom. Hidden ones carry the other keys that people press for it, the pad of digits among them. */
const zoomItems = (zoom: Zoom): MenuItemConstructorOptions[] =>
  zoomOrder
    .flatMap((step) => appCommands.find((command) => command.zoom?.step === step)?.zoom ?? [])
    .flatMap(({ step, label, accelerators }) =>
      accelerators.map((accelerator, index) => ({
        label,
        accelerator: `CommandOrControl+${accelerator}`,
        visible: index === 0,
        acceleratorWorksWhenHidden: true,
        click: () => zoom(step),
      })),
    );
