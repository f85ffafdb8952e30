import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';

/**
 * Takes the pictures of the documentation from the built app with real servers: three reference servers, one that
 * works in bursts, one that crashes now and then, one that cannot start. Takes about two minutes, for the curves.
 */

const root = resolve(import.meta.dirname, '../..');
const images = join(root, 'docs/images');
const WATCH_MS = Number(process.env['SCREENSHOT_WATCH_MS'] ?? 100_000);

/** Relative to the checkout, so that the pictures show no folder of whoever takes them. */
const inCheckout = (program: string, ...args: string[]) => ({
  command: 'node',
  args: [program, ...args],
  cwd: root,
});
const reference = (name: string, ...args: string[]) =>
  inCheckout(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args);
const fixture = (...flags: string[]) => inCheckout('test/fixtures/servers/server.mjs', ...flags);

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'mcp-control-panel-screenshots-'));
  mkdirSync(images, { recursive: true });
  const servers = {
    everything: reference('everything', 'stdio'),
    filesystem: reference('filesystem', home),
    memory: { ...reference('memory'), env: { MEMORY_FILE_PATH: join(home, 'memory.json') } },
    search: {
      ...fixture('--leak-memory-mib-per-s=1', '--short-lived-children'),
      panel: { limits: { maxCpuPercent: 400 } },
    },
    browser: {
      ...fixture('--grandchild-memory-mib=180', '--exit-after-ms=34000'),
      panel: { restart: { stableAfterMs: 20_000 } },
    },
    postgres: fixture('--exit-before-initialize', '--stderr-text=ECONNREFUSED 127.0.0.1:5432'),
  };
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: servers }, null, 2));
  const app = await launch(home);
  try {
    const page = await app.firstWindow();
    await page.getByRole('row', { name: 'everything', exact: true }).waitFor();
    await pause(WATCH_MS);
    await takeAll(page);
  } finally {
    await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
    await new Promise((settle) => app.process().once('exit', settle));
    rmSync(home, { recursive: true, force: true });
  }
}

async function launch(home: string): Promise<ElectronApplication> {
  const { executablePath, args } = JSON.parse(process.env['MCP_CONTROL_PANEL_TEST_ELECTRON'] ?? '{}') as {
    executablePath: string;
    args: string[];
  };
  const env = { ...process.env, MCP_CONTROL_PANEL_HOME: home, MCP_CONTROL_PANEL_TEST: '1' } as Record<
    string,
    string
  >;
  return _electron.launch({ executablePath, args, env, chromiumSandbox: true });
}

async function takeAll(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await pause(1500);
    await page.screenshot({ path: join(images, `overview-${colorScheme}.png`) });
    await page.getByRole('link', { name: 'Open search' }).click();
    await page.getByLabel('Memory of search').waitFor();
    await pause(2500);
    await page.screenshot({ path: join(images, `server-${colorScheme}.png`) });
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'everything', exact: true }).waitFor();
  }
}

await main();
