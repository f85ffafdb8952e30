import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Names the folder that pictures go to. Without it none are taken. */
const FOLDER_VARIABLE = 'MCP_CONTROL_PANEL_PICTURES';
/** Curves need a few samples before they show anything. */
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
  // Nothing is pointed at.
  await page.mouse.move(0, 0);
  if (withCurves) await pause(CURVES_MS);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
