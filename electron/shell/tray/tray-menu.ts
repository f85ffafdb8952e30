import type { Clock, Disposable } from '../../core/clock.ts';
import type { TrayCommand, TrayItem } from './tray-model.ts';

/** An item as the system is given it. */
export type MenuEntry<Menu> =
  | 'separator'
  | { readonly label: string; readonly submenu: Menu }
  | { readonly label: string; readonly isEnabled: boolean; readonly click: () => void };

/** What is needed of the system's menus. */
export interface MenuPort<Menu> {
  build(entries: readonly MenuEntry<Menu>[]): Menu;
  /** Tells when the menu is opened by a person, and when it is gone again. A desktop may tell of neither. */
  watch(menu: Menu, onChange: (isOpen: boolean) => void): void;
  /** The item at `index` must be no submenu. */
  setEnabled(menu: Menu, index: number, isEnabled: boolean): void;
}

export interface TrayMenuOptions<Menu> {
  readonly clock: Clock;
  readonly port: MenuPort<Menu>;
  readonly onCommand: (command: TrayCommand) => void;
  /** Gives the tray its menu. Linux wants it again after every change of an item. */
  readonly show: (menu: Menu) => void;
}

/** Many servers often change in turn: a menu that is rebuilt under the pointer helps nobody. */
const MIN_GAP_MS = 2000;
/** A menu that is said to be open for longer has been closed by a desktop that does not tell. */
const OPEN_LIMIT_MS = 60_000;

/**
 * Keeps the tray's menu as the last items say, changed at most every 2 s and not while it is open, because it would be
 * sorted anew under the pointer. The label of an item cannot be changed, so the
 * outer menu is built anew for other words; the submenus stay and only say what is enabled, because Electron never frees
 * those that are made with a menu of the tray.
 */
export class TrayMenu<Menu> {
  readonly #options: TrayMenuOptions<Menu>;
  readonly #submenus = new Map<string, Kept<Menu>>();
  #outer: Kept<Menu> | undefined;
  #wanted: readonly TrayItem[] = [];
  #shownAtMs = -Infinity;
  #timer: Disposable | undefined;
  #openLimit: Disposable | undefined;

  constructor(options: TrayMenuOptions<Menu>) {
    this.#options = options;
  }

  /** Shows these from now on, or as soon as the last change is long enough ago. The latest wins. */
  update(items: readonly TrayItem[]): void {
    this.#wanted = items;
    this.#showSoon();
  }

  dispose(): void {
    // A menu that closes because of this tells nobody any more.
    this.#outer = undefined;
    this.#stopWaiting();
  }

  #stopWaiting(): void {
    this.#timer?.dispose();
    this.#openLimit?.dispose();
    this.#timer = this.#openLimit = undefined;
  }

  #showSoon(): void {
    if (this.#openLimit !== undefined) return;
    const { clock } = this.#options;
    const waitMs = this.#shownAtMs + MIN_GAP_MS - clock.now();
    if (waitMs <= 0) this.#showWanted();
    else this.#timer ??= clock.setTimeout(() => this.#showWanted(), waitMs);
  }

  #openChanged(isOpen: boolean): void {
    this.#stopWaiting();
    if (isOpen)
      this.#openLimit = this.#options.clock.setTimeout(() => this.#openChanged(false), OPEN_LIMIT_MS);
    else this.#showSoon();
  }

  #showWanted(): void {
    this.#stopWaiting();
    const before = this.#outer;
    if (before !== undefined && isSame(before.items, this.#wanted)) return;
    this.#shownAtMs = this.#options.clock.now();
    this.#outer =
      before !== undefined && hasSameWords(before.items, this.#wanted)
        ? this.#enable(before, this.#wanted)
        : this.#buildOuter(this.#wanted);
    this.#options.show(this.#outer.menu);
  }

  #buildOuter(items: readonly TrayItem[]): Kept<Menu> {
    const kept = this.#build(items);
    this.#options.port.watch(kept.menu, (isOpen) => {
      if (this.#outer?.menu === kept.menu) this.#openChanged(isOpen);
    });
    return kept;
  }

  #build(items: readonly TrayItem[]): Kept<Menu> {
    const { port } = this.#options;
    return { items, menu: port.build(items.map((item) => this.#entry(item))) };
  }

  #entry(item: TrayItem): MenuEntry<Menu> {
    if (item === 'separator') return item;
    if ('submenu' in item) return { label: item.label, submenu: this.#submenu(item.submenu) };
    const { label, isEnabled, command } = item;
    return { label, isEnabled, click: () => command && this.#options.onCommand(command) };
  }

  /** Two submenus with the same commands are one. Those of servers that went are few, and are kept for their return. */
  #submenu(items: readonly TrayItem[]): Menu {
    const key = wordsOf(items);
    const before = this.#submenus.get(key);
    const kept = before === undefined ? this.#build(items) : this.#enable(before, items);
    this.#submenus.set(key, kept);
    return kept.menu;
  }

  /** The same words, with what may be clicked now. */
  #enable({ menu, items: before }: Kept<Menu>, items: readonly TrayItem[]): Kept<Menu> {
    items.forEach((item, index) => {
      if (item === 'separator') return;
      if ('submenu' in item) this.#submenu(item.submenu);
      else if (!isSame([before[index]], [item])) this.#options.port.setEnabled(menu, index, item.isEnabled);
    });
    return { menu, items };
  }
}

/** A menu, and what it shows. */
interface Kept<Menu> {
  readonly menu: Menu;
  readonly items: readonly TrayItem[];
}

/** All of it but what is enabled: equal for two menus that differ in that only. */
const wordsOf = (items: readonly TrayItem[]): string =>
  JSON.stringify(items, (key, value: unknown) => (key === 'isEnabled' ? undefined : value));

const hasSameWords = (one: readonly TrayItem[], other: readonly TrayItem[]): boolean =>
  wordsOf(one) === wordsOf(other);

const isSame = (one: readonly (TrayItem | undefined)[], other: readonly TrayItem[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
