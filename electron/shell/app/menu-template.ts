import type { MenuItemConstructorOptions } from 'electron';
import { appCommands, type ZoomStep } from '../../../shared/app-commands.ts';

export type Zoom = (step: ZoomStep) => void;

/** Standard menu bar of macOS: ⌘W closes the window, ⌃⌘F makes it full screen. */
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

/** Menu items of the zoom. Hidden items have the alternative keys, including those of the number pad. */
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
