import { expect, it } from 'vitest';
import { menuTemplate } from '../../../electron/shell/app/menu-template.ts';

const menus = (isDevelopment = false, zooms: string[] = []) =>
  menuTemplate(isDevelopment, (step) => zooms.push(step));
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
    'windowMenu',
  ]);
  expect(menus(true).at(-1)?.label).toBe('Develop');
});

it('zooms and fills the screen from the View menu', () => {
  const zooms: string[] = [];
  const items = viewItems(zooms);
  const shown = items.filter(({ visible }) => visible !== false);
  expect(shown.map(({ label, role, type }) => label ?? role ?? type)).toEqual([
    'Actual Size',
    'Zoom In',
    'Zoom Out',
    'separator',
    'togglefullscreen',
  ]);
  for (const item of shown) (item.click as (() => void) | undefined)?.();
  expect(zooms).toEqual(['reset', 'in', 'out']);
});
