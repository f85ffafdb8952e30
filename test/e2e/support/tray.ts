import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ElectronApplication } from 'playwright-core';
import { waitUntil } from './wait-until.ts';

/** State of the tray as told since it was watched. */
export interface SeenTray {
  readonly tooltip: string;
  /** Labels of the menu, `-` for a separator. */
  readonly labels: string[];
  readonly icons: { readonly isEmpty: boolean; readonly width: number; readonly look: string }[];
}

interface Driven {
  readonly app: ElectronApplication;
}

/** Folder for PATH with a `gdbus` that says that the desktop has a tray. */
export function desktopWithTray(): { readonly env: Record<string, string>; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gdbus-'));
  writeFileSync(join(folder, 'gdbus'), '#!/bin/sh\necho "(true,)"\n');
  chmodSync(join(folder, 'gdbus'), 0o755);
  const env = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
  return { env, remove: () => rmSync(folder, { recursive: true }) };
}

/** Records what the tray is told from now on, because Electron itself has no way to ask. */
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

/** Clicks an entry of the tray's menu, or of a server's submenu, once it is there: the menu follows with a delay. */
export const clickTrayMenu = (panel: Driven, label: string, inner?: string) =>
  waitUntil(`the menu to have ${label} ${inner ?? ''}`, () => clickIfThere(panel, label, inner));

const clickIfThere = ({ app }: Driven, label: string, inner: string | undefined) =>
  app.evaluate(
    (_electron, names) => {
      const { trayMenu } = globalThis as unknown as { trayMenu?: Electron.Menu };
      const entry = trayMenu?.items.find((item) => item.label === names.label);
      const target =
        names.inner === undefined ? entry : entry?.submenu?.items.find((item) => item.label === names.inner);
      (target?.click as (() => void) | undefined)?.();
      return target !== undefined;
    },
    { label, inner },
  );

export const tooltipBecomes = (panel: Driven, tooltip: string) =>
  waitUntil(`the tooltip "${tooltip}"`, async () => (await seenTray(panel)).tooltip === tooltip);

/** Waits for the labels of the menu, which follows later than the tooltip. Its figures are left out. */
export const labelsBecome = (panel: Driven, labels: readonly string[]) =>
  waitUntil(
    `the menu ${labels.join(', ')}`,
    async () => (await seenTray(panel)).labels.map(withoutFigures).join() === labels.join(),
  );

const withoutFigures = (label: string) =>
  label.replace(/ · [\d.]+ [MG]iB(?:, ≈ [\d.]+ [MG]iB in RAM, shared pages once)?$/, '').trim();
