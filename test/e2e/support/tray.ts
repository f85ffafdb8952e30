import type { ElectronApplication } from 'playwright-core';
import { waitUntil } from './wait-until.ts';

/** What the tray was told since it was watched. */
export interface SeenTray {
  readonly tooltip: string;
  /** Of the menu, `-` for a separator. */
  readonly labels: string[];
  readonly icons: { readonly isEmpty: boolean; readonly width: number; readonly look: string }[];
}

interface Driven {
  readonly app: ElectronApplication;
}

/** Notes what the tray is told from now on: Electron itself has no way to ask. */
export const watchTray = ({ app }: Driven) =>
  app.evaluate(({ Tray }) => {
    const seen: { tooltip: string; labels: string[]; icons: unknown[] } = {
      tooltip: '',
      labels: [],
      icons: [],
    };
    Object.assign(globalThis, { seenTray: seen });
    type Method = (this: unknown, value: unknown) => void;
    const methods = Tray.prototype as unknown as Record<string, Method>;
    const watch = (name: string, note: (value: unknown) => void) => {
      const original = methods[name];
      methods[name] = function (value) {
        note(value);
        original?.call(this, value);
      };
    };
    watch('setToolTip', (text) => (seen.tooltip = text as string));
    watch('setContextMenu', (value) => {
      const menu = value as Electron.Menu;
      Object.assign(globalThis, { trayMenu: menu });
      seen.labels = menu.items.map(({ type, label }) => (type === 'separator' ? '-' : label));
    });
    watch('setImage', (value) => {
      const image = value as Electron.NativeImage;
      seen.icons.push({ isEmpty: image.isEmpty(), width: image.getSize().width, look: image.toDataURL() });
    });
  });

export const seenTray = ({ app }: Driven) =>
  app.evaluate(() => (globalThis as unknown as { seenTray: SeenTray }).seenTray);

/** Clicks an entry of the tray's menu, or of a server's submenu. */
export const clickTrayMenu = ({ app }: Driven, label: string, inner?: string) =>
  app.evaluate(
    (_electron, names) => {
      const { trayMenu } = globalThis as unknown as { trayMenu: Electron.Menu };
      const entry = trayMenu.items.find((item) => item.label === names.label);
      const target =
        names.inner === undefined ? entry : entry?.submenu?.items.find((item) => item.label === names.inner);
      if (target === undefined) throw new Error(`the menu has no ${names.label} ${names.inner ?? ''}`);
      (target.click as () => void)();
    },
    { label, inner },
  );

export const tooltipBecomes = (panel: Driven, tooltip: string) =>
  waitUntil(`the tooltip "${tooltip}"`, async () => (await seenTray(panel)).tooltip === tooltip);
