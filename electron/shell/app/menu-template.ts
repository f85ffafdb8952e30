import type { Input, MenuItemConstructorOptions } from 'electron';
import { appCommands, type AppCommand, type ZoomStep } from '../../../shared/app-commands.ts';
import { isPressed } from '../../../shared/keys.ts';

export type Zoom = (step: ZoomStep) => void;

export interface MenuActions {
  /** Returns the app's window, which may be built after the menu. */
  readonly window: () => { readonly zoom: Zoom; readonly showPage: (fragment: string) => void };
  readonly run: (command: { readonly kind: 'stop-all' | 'restart-failed' }) => void;
}

/** Views in the menu, with the URL fragments that open them. They have no keys here, because the page handles those itself. */
const views: readonly (readonly [label: string, fragment: string])[] = [
  ['Servers', '#/servers'],
  ['Usage', '#/usage'],
  ['Activity', '#/activity'],
  ['Clients', '#/clients'],
  ['Logs', '#/logs'],
];

/**
 * Menu bar of macOS: the standard menu, in which ⌘W closes the window and ⌃⌘F makes it full screen, and the app's own commands.
 */
export function menuTemplate(isDevelopment: boolean, actions: MenuActions): MenuItemConstructorOptions[] {
  const developer: MenuItemConstructorOptions[] = isDevelopment
    ? [{ label: 'Develop', submenu: [{ role: 'reload' }, { role: 'toggleDevTools' }] }]
    : [];
  return [
    appMenu(actions),
    { role: 'fileMenu' },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        ...views.map(([label, fragment]) => ({ label, click: () => actions.window().showPage(fragment) })),
        { type: 'separator' },
        ...zoomItems((step) => actions.window().zoom(step)),
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    {
      label: 'Servers',
      submenu: [
        { label: 'Stop All', click: () => actions.run({ kind: 'stop-all' }) },
        { label: 'Restart Failed', click: () => actions.run({ kind: 'restart-failed' }) },
      ],
    },
    { role: 'windowMenu' },
    ...developer,
  ];
}

const appMenu = ({ window }: MenuActions): MenuItemConstructorOptions => ({
  role: 'appMenu',
  submenu: [
    { role: 'about' },
    { type: 'separator' },
    { label: 'Settings…', click: () => window().showPage('#/settings') },
    { type: 'separator' },
    { role: 'services' },
    { type: 'separator' },
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    { type: 'separator' },
    { role: 'quit' },
  ],
});

const zoomOrder: readonly ZoomStep[] = ['reset', 'in', 'out'];

/** Menu items for the zoom. Hidden items provide the alternative keys, including those of the number pad. */
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

/**
 * Returns the command for a key press in an app window without a menu bar; on macOS, the menu has these keys. Copy, paste and
 * undo are left out, because text fields handle them.
 */
export function shortcutCommand(
  input: Pick<Input, 'type' | 'key' | 'code' | 'control' | 'meta' | 'alt' | 'shift'>,
  isDevelopment: boolean,
): AppCommand | undefined {
  const { type, key, code, control, meta, alt, shift } = input;
  if (type !== 'keyDown' || meta) return undefined;
  const press = { key, code, ctrlKey: control, metaKey: meta, altKey: alt, shiftKey: shift };
  return appCommands.find(
    (command) => (isDevelopment || command.isForDevelopment !== true) && isPressed(command, press),
  );
}
