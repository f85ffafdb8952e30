import type { Clock, Disposable } from '../../core/clock.ts';
import type { TrayCommand, TrayItem } from './tray-model.ts';

/** Menu item as passed to the system. */
export type MenuEntry<Menu> =
  | { readonly type: 'separator' }
  | { readonly label: string; readonly submenu: Menu }
  | { readonly label: string; readonly enabled: boolean; readonly click: () => void };

/** The part of a system menu that is used. A desktop may report neither that the user opens the menu nor that it closes. */
interface SystemMenu {
  readonly items: readonly { enabled?: boolean }[];
  on(event: 'menu-will-show', listener: () => void): unknown;
  on(event: 'menu-will-close', listener: () => void): unknown;
}

interface TrayMenuOptions<Menu extends SystemMenu> {
  readonly clock: Clock;
  readonly build: (entries: MenuEntry<Menu>[]) => Menu;
  readonly onCommand: (command: TrayCommand) => void;
  /** Sets the tray's menu. Linux needs it again after every change of an item. */
  readonly show: (menu: Menu) => void;
}

/** Milliseconds between updates. Servers often change several times in a row, but a menu should not do so under the pointer. */
const MIN_GAP_MS = 2000;
/** Milliseconds after which an open menu counts as closed, because some desktops do not report the closing. */
const OPEN_LIMIT_MS = 60_000;

/**
 * Keeps the tray's menu up to date, at most every 2 s and not while it is open, because the order of its items would change
 * under the pointer. The label of an item cannot be changed, so a changed text requires a new outer menu. The submenus are
 * reused, and their items only enabled or disabled, because Electron never frees the submenus of a tray menu.
 */
export class TrayMenu<Menu extends SystemMenu> {
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

  /** Shows these items now, or as soon as enough time has passed since the last change. The latest call wins. */
  update(items: readonly TrayItem[]): void {
    this.#wanted = items;
    this.#showSoon();
  }

  dispose(): void {
    // A new menu for the tray may close this one. Once `#outer` is undefined, the listeners of this menu have no effect.
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
    const changed = (isOpen: boolean) => {
      if (this.#outer?.menu === kept.menu) this.#openChanged(isOpen);
    };
    kept.menu.on('menu-will-show', () => changed(true));
    kept.menu.on('menu-will-close', () => changed(false));
    return kept;
  }

  #build(items: readonly TrayItem[]): Kept<Menu> {
    return { items, menu: this.#options.build(items.map((item) => this.#entry(item))) };
  }

  #entry(item: TrayItem): MenuEntry<Menu> {
    if (item === 'separator') return { type: item };
    if ('submenu' in item) return { label: item.label, submenu: this.#submenu(item.submenu) };
    const { label, isEnabled: enabled, command } = item;
    return { label, enabled, click: () => command && this.#options.onCommand(command) };
  }

  /**
   * Returns the submenu for these commands; equal submenus are shared. Submenus of removed servers are kept in case the servers
   * return, because they are few.
   */
  #submenu(items: readonly TrayItem[]): Menu {
    const key = wordsOf(items);
    const before = this.#submenus.get(key);
    const kept = before === undefined ? this.#build(items) : this.#enable(before, items);
    this.#submenus.set(key, kept);
    return kept.menu;
  }

  /** Updates which items of an otherwise equal menu are enabled. */
  #enable({ menu, items: before }: Kept<Menu>, items: readonly TrayItem[]): Kept<Menu> {
    items.forEach((item, index) => {
      const shown = menu.items[index];
      if (item === 'separator' || shown === undefined) return;
      if ('submenu' in item) this.#submenu(item.submenu);
      else if (!isSame([before[index]], [item])) shown.enabled = item.isEnabled;
    });
    return { menu, items };
  }
}

/** Menu with its items. */
interface Kept<Menu> {
  readonly menu: Menu;
  readonly items: readonly TrayItem[];
}

/** Returns the key of a menu, which ignores whether items are enabled. It is equal for two menus that differ only in that. */
const wordsOf = (items: readonly TrayItem[]): string =>
  JSON.stringify(items, (key, value: unknown) => (key === 'isEnabled' ? undefined : value));

const hasSameWords = (one: readonly TrayItem[], other: readonly TrayItem[]): boolean =>
  wordsOf(one) === wordsOf(other);

const isSame = (one: readonly (TrayItem | undefined)[], other: readonly TrayItem[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
