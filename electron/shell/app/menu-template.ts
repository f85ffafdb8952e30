import type { MenuItemConstructorOptions } from 'electron';
import type { ZoomStep } from '../../../shared/zoom-steps.ts';

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
