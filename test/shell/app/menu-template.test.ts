import { expect, it } from 'vitest';
import { menuTemplate } from '../../../electron/shell/app/menu-template.ts';

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
