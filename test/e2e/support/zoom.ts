import type { ElectronApplication } from 'playwright-core';
import { waitUntil } from './wait-until.ts';

interface Driven {
  readonly app: ElectronApplication;
}

/** Presses Control with a key, `times` in a row, as the system would tell the window of it. */
export const pressZoom = ({ app }: Driven, keyCode: '=' | '-' | '0', times = 1) =>
  app.evaluate(
    ({ BrowserWindow }, press) => {
      const page = BrowserWindow.getAllWindows()[0]?.webContents;
      for (let left = press.times; left > 0; left -= 1)
        for (const type of ['keyDown', 'keyUp'] as const)
          page?.sendInputEvent({ type, keyCode: press.keyCode, modifiers: ['control'] });
    },
    { keyCode, times },
  );

const factorOf = ({ app }: Driven) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.zoomFactor ?? 0);

/** Waits until the window has a size, in percent. */
export const zoomBecomes = (panel: Driven, percent: number) =>
  waitUntil(`${percent} %`, async () => Math.round((await factorOf(panel)) * 100) === percent);
