import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Variable that names the folder for pictures. Without it none are taken. */
const FOLDER_VARIABLE = 'MCP_CONTROL_PANEL_PICTURES';
/** Time for curves, which need a few samples before they show anything. */
const CURVES_MS = 6000;

/** Takes a picture of the window as it is, for the documentation. Does nothing in a test that only tests. */
export async function takePicture(
  page: Page,
  name: string,
  { withCurves = false }: { readonly withCurves?: boolean } = {},
): Promise<void> {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  // The pointer is moved away so that nothing is pointed at.
  await page.mouse.move(0, 0);
  if (withCurves) await pause(CURVES_MS);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
