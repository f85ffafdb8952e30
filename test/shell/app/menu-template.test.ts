import { describe, expect, it } from 'vitest';
import { menuTemplate, shortcutCommand } from '../../../electron/shell/app/menu-template.ts';

const menus = (isDevelopment = false, zooms: string[] = []) =>
  menuTemplate(isDevelopment, {
    window: () => ({ zoom: (step) => zooms.push(step), showPage: (fragment) => zooms.push(fragment) }),
    run: ({ kind }) => zooms.push(kind),
  });
const viewItems = (zooms: string[] = []) => {
  const view = menus(false, zooms).find(({ label }) => label === 'View');
  return Array.isArray(view?.submenu) ? view.submenu : [];
};

it('has the menus that people expect on macOS, the one that closes the window with ⌘W among them', () => {
  expect(menus().map(({ label, role }) => label ?? role)).toEqual([
    'appMenu',
    'fileMenu',
    'editMenu',
    'View',
    'Servers',
    'windowMenu',
  ]);
  expect(menus(true).at(-1)?.label).toBe('Develop');
});

it('zooms and fills the screen from the View menu', () => {
  const zooms: string[] = [];
  const items = viewItems(zooms);
  const shown = items.filter(({ visible }) => visible !== false);
  expect(shown.map(({ label, role, type }) => label ?? role ?? type)).toEqual([
    'Servers',
    'Usage',
    'Activity',
    'Clients',
    'Logs',
    'separator',
    'Actual Size',
    'Zoom In',
    'Zoom Out',
    'separator',
    'togglefullscreen',
  ]);
  for (const item of shown) (item.click as (() => void) | undefined)?.();
  expect(zooms).toEqual([
    ...['#/servers', '#/usage', '#/activity', '#/clients', '#/logs'],
    ...['reset', 'in', 'out'],
  ]);
});

it('has the settings, and the commands for all servers', () => {
  const done: string[] = [];
  for (const menu of menus(false, done).filter(
    ({ label, role }) => label === 'Servers' || role === 'appMenu',
  ))
    for (const item of Array.isArray(menu.submenu) ? menu.submenu : [])
      (item.click as (() => void) | undefined)?.();
  expect(done).toEqual(['#/settings', 'stop-all', 'restart-failed']);
});

const idOf = (...args: Parameters<typeof shortcutCommand>) => shortcutCommand(...args)?.id;

const press = (
  key: string,
  held: { shift?: boolean; alt?: boolean; meta?: boolean; control?: boolean; code?: string } = {},
) => ({
  type: 'keyDown',
  key,
  code: '',
  control: true,
  meta: false,
  alt: false,
  shift: false,
  ...held,
});

describe('the shortcuts of a window without a menu bar', () => {
  it('quit and close', () => {
    expect(idOf(press('q'), false)).toBe('quit');
    expect(idOf(press('W'), false)).toBe('close-window');
  });

  it('reloads and inspects in development only', () => {
    for (const keys of [press('r'), press('I', { shift: true }), press('F12', { control: false })]) {
      expect(idOf(keys, false)).toBeUndefined();
      expect(idOf(keys, true)).toBeDefined();
    }
  });

  it('enlarges and shrinks the window by the keys of every layout and the pad of digits', () => {
    const enlarging = [
      press('+'),
      press('='),
      press('+', { shift: true, code: 'Equal' }),
      press('+', { code: 'NumpadAdd' }),
    ];
    for (const keys of enlarging) expect(idOf(keys, false)).toBe('zoom-in');
    for (const keys of [press('-'), press('-', { code: 'NumpadSubtract' }), press('_', { shift: true })])
      expect(idOf(keys, false)).toBe('zoom-out');
    for (const keys of [press('0'), press('à', { code: 'Digit0' }), press('0', { code: 'Numpad0' })])
      expect(idOf(keys, false)).toBe('zoom-reset');
    expect(idOf(press('+', { control: false }), false)).toBeUndefined();
  });

  it('leaves every other key to the page', () => {
    expect(idOf(press('c'), true)).toBeUndefined();
    expect(idOf(press('q', { control: false }), true)).toBeUndefined();
    expect(idOf(press('q', { alt: true }), true)).toBeUndefined();
    expect(idOf(press('q', { shift: true }), true)).toBeUndefined();
    expect(idOf({ ...press('q'), type: 'keyUp' }, true)).toBeUndefined();
  });
});
