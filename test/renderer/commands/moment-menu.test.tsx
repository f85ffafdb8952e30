// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { OpenMenu } from '../../../renderer/commands/open-menu.tsx';
import { MomentButton } from '../../../renderer/commands/moment-menu.tsx';
import { useRowMenu } from '../../../renderer/commands/row-menu.ts';
import { formatMoment } from '../../../renderer/format/moments.ts';
import { chooseLive } from '../../../renderer/store/span-choice.ts';
import { parseTime } from '../../../renderer/store/span-address.ts';
import { showView } from '../hands.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { HOUR_MS } from '../../../shared/units.ts';

const NOW = 1_800_000_000_000;
const AT = NOW - 30 * HOUR_MS;
const around = { from: AT - HOUR_MS / 2, to: AT + HOUR_MS / 2 };

function Window() {
  useRowMenu();
  return (
    <>
      <ul>
        <li data-moment={AT} data-moment-server="one (dev)">
          <time>03:10</time>
          <span tabIndex={0}>crashed</span>
          <a href="#/servers/one">one</a>
        </li>
      </ul>
      <svg data-moment="cursor" data-testid="chart" />
      <MomentButton at={AT} label="This moment in…" />
      <OpenMenu />
    </>
  );
}

const changed = () =>
  new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));

async function show(hash = '#/clients') {
  if (location.hash !== hash) {
    const isThere = changed();
    location.hash = hash;
    await isThere;
  }
  const copied: string[] = [];
  const user = userEvent.setup();
  Object.assign(navigator.clipboard, {
    writeText: (text: string) => Promise.resolve(void copied.push(text)),
  });
  const shown: unknown[] = [];
  const services = servicesWith({ showRowMenu: (row) => Promise.resolve(void shown.push(row)) }, {}, hash);
  services.clock.setState({ now: NOW });
  services.view.setState({ span: chooseLive(24 * HOUR_MS) });
  await showView(services, <Window />);
  const choose = async (name: string) => {
    const moved = name.startsWith('Here') ? changed() : undefined;
    fireEvent.contextMenu(screen.getByText('crashed'));
    await user.click(screen.getByRole('menuitem', { name }));
    await act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
    await act(async () => void (await moved));
  };
  return { services, user, copied, shown, choose };
}

it.each([
  ['Here in Usage', '#/usage'],
  ['Here in Activity', '#/activity'],
  ['Here in Logs', `#/logs?server=one+%28dev%29&at=${AT}`],
  ['Here in Charts', '#/servers/one%20(dev)'],
])(
  '“%s” shows half an hour on either side of the moment there, with the moment pinned',
  async (name, hash) => {
    const { services, choose } = await show();
    await choose(name);
    expect(location.hash).toBe(hash);
    expect(services.view.getState()).toMatchObject({
      span: { choice: { kind: 'still', span: around } },
      pinnedAt: AT,
    });
    expect(screen.queryByRole('menu')).toBeNull();
  },
);

it('the time, the row and an address that opens the same picture are copied', async () => {
  const { copied, choose } = await show('#/servers');
  await choose('Copy time');
  await choose('Copy row');
  await choose('Copy address');
  const [time, row, address] = copied;
  expect([time, row]).toEqual([formatMoment(AT), '03:10\tcrashed']);
  const [path, text] = address!.split('?');
  expect(path).toBe('mcp-control-panel://open/servers/one%20%28dev%29');
  expect(parseTime(text!)).toMatchObject({ choice: { kind: 'still', span: around }, pinnedAt: AT });
});

it('the menu of a chart is that of the moment under the pointer, and without one there is none', async () => {
  const { services } = await show();
  fireEvent.contextMenu(screen.getByTestId('chart'));
  expect(screen.queryByRole('menu')).toBeNull();
  act(() => services.view.setState({ cursorAt: AT + 0.4 }));
  fireEvent.contextMenu(screen.getByTestId('chart'));
  expect(screen.getByRole('menu', { name: `At ${formatMoment(AT)}` })).toBeDefined();
  // Without a server there is no page to show it on.
  expect(screen.queryByRole('menuitem', { name: 'Here in Charts' })).toBeNull();
});

it('a link keeps its own menu, and selected text the one of the system', async () => {
  const { shown } = await show();
  fireEvent.contextMenu(screen.getByText('one'));
  expect(screen.queryByRole('menu')).toBeNull();
  document.getSelection()?.selectAllChildren(screen.getByText('crashed'));
  fireEvent.contextMenu(screen.getByText('crashed'));
  expect(screen.queryByRole('menu')).toBeNull();
  expect(shown).toEqual([{ text: '03:10\tcrashed', hasSelection: true }]);
  document.getSelection()?.removeAllRanges();
});

it('a list that scrolls by itself leaves the menu open, and the wheel of a person closes it', async () => {
  await show();
  fireEvent.contextMenu(screen.getByText('crashed'));
  fireEvent.scroll(document.body);
  expect(screen.queryByRole('menu')).not.toBeNull();
  fireEvent.wheel(document.body);
  expect(screen.queryByRole('menu')).toBeNull();
});

it('the button opens it for the keyboard, which goes through it and comes back to the button', async () => {
  const { user } = await show();
  const button = screen.getByRole('button', { name: `This moment in…: ${formatMoment(AT)}` });
  button.focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement?.textContent).toBe('Here in Usage');
  await user.keyboard('{End}');
  expect(document.activeElement?.textContent).toBe('Copy address');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
});

it('the menu closes when another view comes, for which the layer of menus is built anew', async () => {
  const services = servicesWith({}, {}, '#/clients');
  const { rerender } = await showView(services, <OpenMenu key="clients" />);
  act(() => services.manage.setMenu({ of: { at: AT }, box: { right: 0, top: 0, bottom: 0 } }));
  expect(screen.getByRole('menu')).toBeTruthy();
  rerender(inWindow(services, <OpenMenu key="usage" />));
  expect(screen.queryByRole('menu')).toBeNull();
});
