import type { ElectronApplication } from 'playwright-core';
import { expect, it } from 'vitest';
import { usePanels } from '../../e2e/harness.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

const panels = usePanels();

/** Holds each change of the settings until it is let go, and counts the answers to questions for them. */
const holdSaves = (app: ElectronApplication) =>
  app.evaluate(({ ipcMain }) => {
    type Handler = (event: unknown, ...args: unknown[]) => Promise<unknown>;
    const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> };
    const held = globalThis as { heldSaves?: (() => void)[]; settingsAnswers?: number };
    held.heldSaves = [];
    held.settingsAnswers = 0;
    const [put, get] = ['putSettings', 'getSettings'].map((name) => handlers.get(`control-panel:${name}`)!);
    handlers.set('control-panel:putSettings', async (...args) => {
      await new Promise<void>((resolve) => held.heldSaves!.push(resolve));
      return put!(...args);
    });
    handlers.set('control-panel:getSettings', async (...args) => {
      const answer = await get!(...args);
      held.settingsAnswers! += 1;
      return answer;
    });
  });
const heldSaves = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as { heldSaves?: unknown[] }).heldSaves!.length);
const answers = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as { settingsAnswers?: number }).settingsAnswers!);
const letGo = (app: ElectronApplication, which: number) =>
  app.evaluate((_electron, at) => (globalThis as { heldSaves?: (() => void)[] }).heldSaves![at]!(), which);

it('goes on from the theme that was chosen last while the one before is still being saved', async () => {
  const panel = await panels.launch({ servers: {} });
  const { page, app } = panel;
  const theme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  /** What came before is on the page. */
  const settled = () =>
    page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  await page.emulateMedia({ colorScheme: 'light' });
  await panel.call('putSettings', { theme: 'dark' });
  await holdSaves(app);
  await page.reload();
  await waitUntil('the settings known to the page', async () => (await answers(app)) === 1);
  await waitUntil('the dark theme', async () => (await theme()) === 'dark');
  await settled();

  await page.keyboard.press('Control+Shift+L');
  await waitUntil('the light theme', async () => (await theme()) === 'light');
  await page.keyboard.press('Control+Shift+L');
  await waitUntil('both choices on their way', async () => (await heldSaves(app)) === 2);
  await letGo(app, 0);
  await waitUntil('the first one known to the page', async () => (await answers(app)) === 2);
  await settled();
  await page.keyboard.press('Control+Shift+L');
  await waitUntil('the dark theme again', async () => (await theme()) === 'dark');

  await waitUntil('the last choice on its way', async () => (await heldSaves(app)) === 3);
  await letGo(app, 1);
  await letGo(app, 2);
  await waitUntil('what was chosen last to be kept', async () => {
    const answer = await panel.call<{ settings: { theme: string } }>('getSettings');
    return answer.settings.theme === 'dark';
  });
  expect(await theme()).toBe('dark');
});
