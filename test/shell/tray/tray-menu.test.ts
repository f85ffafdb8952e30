import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StateKind, stateKinds } from '../../../shared/server-states.ts';
import { TrayMenu, type MenuEntry } from '../../../electron/shell/tray/tray-menu.ts';
import { trayModel, type TrayCommand } from '../../../electron/shell/tray/tray-model.ts';
import type { TrayServer } from '../../../electron/shell/tray/tray-words.ts';
import { createFakeClock } from '../../core/fake-clock.ts';

class FakeMenu extends EventEmitter {
  readonly items: readonly (MenuEntry<FakeMenu> & { enabled?: boolean })[];

  constructor(items: readonly MenuEntry<FakeMenu>[]) {
    super();
    this.items = items;
  }
}

const servers = (...kinds: StateKind[]): TrayServer[] =>
  kinds.map((kind, index) => ({ name: `s${index}`, state: { kind, since: 0 }, restartAttempt: 0 }));

function trayMenuOf() {
  const clock = createFakeClock();
  const built: FakeMenu[] = [];
  const shown: FakeMenu[] = [];
  const commands: TrayCommand[] = [];
  const menu = new TrayMenu<FakeMenu>({
    clock,
    onCommand: (command) => commands.push(command),
    show: (one) => shown.push(one),
    build: (entries) => {
      const one = new FakeMenu(entries);
      built.push(one);
      return one;
    },
  });
  return {
    clock,
    menu,
    built,
    shown,
    commands,
    /** A person opens the menu that is shown, or closes it. */
    setOpen: (isOpen: boolean) => shown.at(-1)!.emit(isOpen ? 'menu-will-show' : 'menu-will-close'),
    update: (...of: StateKind[]) => menu.update(trayModel(servers(...of)).items),
  };
}

/** Look of the menu and its submenus: what a person sees, and could click. */
const lookOf = (menu: FakeMenu | undefined): unknown =>
  menu?.items.map((entry) => {
    if ('type' in entry) return '-';
    if ('submenu' in entry) return [entry.label, lookOf(entry.submenu)];
    return `${entry.label} ${entry.enabled ? 'on' : 'off'}`;
  });

const labelsOf = (menu: FakeMenu | undefined) =>
  menu?.items.map((entry) => ('type' in entry ? '-' : entry.label));

const hasSubmenus = ({ items }: FakeMenu) => items.some((entry) => 'submenu' in entry);

describe('TrayMenu', () => {
  it('shows the first menu at once, and many changes in a row as one', async () => {
    const { clock, shown, update } = trayMenuOf();
    update('starting', 'starting');
    expect(shown).toHaveLength(1);
    for (let round = 0; round < 50; round += 1) {
      update(round % 2 === 0 ? 'running' : 'starting', 'failed');
      await clock.advance(10);
    }
    expect(shown).toHaveLength(1);
    await clock.advance(2000);
    expect(shown).toHaveLength(2);
    expect(labelsOf(shown[1])?.slice(0, 4)).toEqual([
      '1 starting, 1 failed',
      '-',
      '⊗ s1: Failed',
      '◐ s0: Starting',
    ]);
    expect(clock.pending).toBe(0);
  });

  it('touches nothing when what is shown has not changed, or has changed back before it was shown', async () => {
    const { clock, shown, built, update } = trayMenuOf();
    update('running');
    const before = built.length;
    update('failed');
    update('running');
    await clock.advance(5000);
    for (let round = 0; round < 20; round += 1) update('running');
    await clock.advance(5000);
    expect([shown.length, built.length - before]).toEqual([1, 0]);
  });

  it('builds the submenu of a server once, whatever becomes of the server', async () => {
    const { clock, built, update } = trayMenuOf();
    for (let round = 0; round < 120; round += 1) {
      update(...Array.from({ length: 10 }, (_, index) => stateKinds[(round + index) % stateKinds.length]!));
      await clock.advance(2000);
    }
    expect(built.filter(hasSubmenus)).toHaveLength(120);
    expect(built.filter((menu) => !hasSubmenus(menu))).toHaveLength(10);
  });

  it('looks after any changes as a menu that is built from nothing', async () => {
    const states = fc.array(fc.constantFrom(...stateKinds), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(states, fc.integer({ min: 0, max: 3000 })), { minLength: 1 }),
        async (steps) => {
          const kept = trayMenuOf();
          for (const [kinds, waitMs] of steps) {
            kept.update(...kinds);
            await kept.clock.advance(waitMs);
          }
          await kept.clock.advance(2000);
          const fresh = trayMenuOf();
          fresh.update(...steps.at(-1)![0]);
          expect(lookOf(kept.shown.at(-1))).toEqual(lookOf(fresh.shown.at(-1)));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is not sorted anew while it is open, and catches up when it closes', async () => {
    const { clock, setOpen, shown, update } = trayMenuOf();
    update('running', 'running');
    await clock.advance(5000);
    setOpen(true);
    update('running', 'failed');
    await clock.advance(10_000);
    expect(shown).toHaveLength(1);
    setOpen(false);
    expect(shown).toHaveLength(2);
    expect(labelsOf(shown[1])?.[2]).toBe('⊗ s1: Failed');
    expect(clock.pending).toBe(0);
  });

  it('is not sorted anew by a change that waited when it was opened', async () => {
    const { clock, setOpen, shown, update } = trayMenuOf();
    update('running');
    update('failed');
    setOpen(true);
    await clock.advance(10_000);
    expect(shown).toHaveLength(1);
  });

  it('goes on after a minute on a desktop that never says that the menu is closed', async () => {
    const { clock, setOpen, shown, update } = trayMenuOf();
    update('running');
    setOpen(true);
    update('failed');
    await clock.advance(59_999);
    expect(shown).toHaveLength(1);
    await clock.advance(1);
    expect(shown).toHaveLength(2);
  });

  it('passes on what is clicked', () => {
    const { shown, commands, update } = trayMenuOf();
    update('running');
    const entry = shown[0]!.items[2]!;
    if (!('submenu' in entry)) throw new Error('no submenu');
    const stop = entry.submenu.items[1]!;
    if (!('click' in stop)) throw new Error('no item');
    stop.click();
    expect(commands).toEqual([{ kind: 'stop', server: 's0' }]);
  });

  it('changes nothing any more once disposed', async () => {
    const { clock, menu, setOpen, shown, update } = trayMenuOf();
    update('running');
    update('failed');
    menu.dispose();
    setOpen(false);
    await clock.advance(5000);
    expect([shown.length, clock.pending]).toEqual([1, 0]);
  });
});
