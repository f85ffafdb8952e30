import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const projectRoot = join(import.meta.dirname, '../../..');
/** Limit for a first run, which downloads the runtime and builds the app. */
const FIRST_RUN_LIMIT_MS = 600_000;

/** Command that starts the built app from any folder. */
export interface ElectronCommand {
  readonly executablePath: string;
  readonly args: readonly string[];
}

/** Command from the test runner, else from the scripts, which build what is missing. */
export async function electronCommand(): Promise<ElectronCommand> {
  const given = process.env['MCP_CONTROL_PANEL_TEST_ELECTRON'];
  if (given !== undefined) return JSON.parse(given) as ElectronCommand;
  const script = join(projectRoot, 'scripts/electron-path.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: FIRST_RUN_LIMIT_MS });
  return JSON.parse(stdout) as ElectronCommand;
}

export interface Display {
  readonly env: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

/** Opens the display that is there, else an Xvfb of our own, which the caller ends. */
export async function openDisplay(): Promise<Display> {
  const url = pathToFileURL(join(projectRoot, 'scripts/lib/display.mjs')).href;
  const scripts = (await import(url)) as { openDisplay(): Promise<Display> };
  return scripts.openDisplay();
}
