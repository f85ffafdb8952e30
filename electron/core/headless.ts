/**
 * The panel without a window, on plain Node: `node electron/core/headless.ts --home DIR`. Runs the servers configured in DIR
 * until SIGINT, SIGTERM or SIGHUP. It writes server states to stdout in the same form as the app, and notices to stderr. The
 * exit code is 0 after a signal, and 1 if the panel could not start. With `--restore-clients`, it starts no servers and gives
 * other programs back the server entries that the panel took over. With `--agree NAME[,NAME]` or `--agree-all`, it starts no
 * servers and agrees, for the user, to server definitions that were not entered in the panel.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import packageJson from '../../package.json' with { type: 'json' };
import { agree } from './agree.ts';
import { consentMode } from './consent/consent-mode.ts';
import { DisposeStack } from './dispose-stack.ts';
import { prepareHome } from './files/prepare-home.ts';
import type { ControlPanel } from './panel/control-panel.ts';
import { openPanel, type OpenPanelOptions } from './panel/open-panel.ts';
import { stateLine } from './panel/state-line.ts';
import { forkHelper } from './platform/helper-process.ts';
import { systemClock } from './platform/system-clock.ts';
import { quitOnSignals, releaseAll } from './quit.ts';
import { restoreClients } from './restore-clients.ts';
import { StartProblem } from './start-problem.ts';
import { createTerminal } from './terminal.ts';
import { messageOf } from '../../shared/message-of.ts';

const USAGE = 'usage: --home DIR, the folder with servers.json and all other files of this panel';

// Few of our short-lived objects survive a garbage collection, so waking threads to copy the survivors costs more than copying
// them on this thread (decision 114).
setFlagsFromString('--no-parallel-scavenge');
const terminal = createTerminal(process.stdout, process.stderr);
const parts = new DisposeStack();
let isQuitting = false;
let opened: ControlPanel | undefined;

quitOnSignals({ quit: () => void quit(0) });
// Unexpected errors are reported and the servers continue, as in the app.
process.on('uncaughtException', (error) => terminal.notice(`unexpected: ${error.stack ?? error.message}`));
await run().catch((error: unknown) => {
  terminal.notice(`cannot start: ${describe(error)}`);
  return quit(1);
});

async function run(): Promise<void> {
  const { home, restores, agrees, names } = readArguments(process.argv.slice(2));
  const problem = prepareHome(home);
  if (problem !== undefined) throw new StartProblem(problem);
  if (restores) return quit(await restoreClients(home, terminal));
  if (agrees) return quit(await agree(home, names, terminal));
  const panel = await openPanel({
    home,
    appVersion: packageJson.version,
    electronVersion: '',
    asksQuestions: false,
    // Plain Node runs only from the source code, so this is never a release.
    consent: consentMode(process.env, true),
    parts,
    ...bridgeOptions(home),
    storeWorker: new URL('./store/store-worker.ts', import.meta.url),
    logsWorker: new URL('./logs/logs-worker.ts', import.meta.url),
    messageWorker: new URL('./mcp/worker/message-worker.ts', import.meta.url),
    startKeyringHelper: () => forkHelper(new URL('./secrets/keyring-helper.ts', import.meta.url)),
    secretsPassphrase: readPassphrase(process.env['MCP_CONTROL_PANEL_PASSPHRASE_FD']),
    notice: terminal.notice,
  });
  if (isQuitting) return;
  opened = panel;
  panel.onNotice((line) => terminal.notice(line));
  panel.onStateChange((change) => terminal.state(stateLine(change)));
  // No window exists, so no data is collected for one.
  panel.setWindowVisible(false);
  panel.start();
}

/** Reads the passphrase that encrypts the secrets from a file descriptor that the parent process opened. @throws StartProblem */
function readPassphrase(descriptor: string | undefined): string | undefined {
  if (descriptor === undefined) return undefined;
  try {
    return readFileSync(Number(descriptor), 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new StartProblem(`no passphrase was read from descriptor ${descriptor}: ${messageOf(error)}`);
  }
}

/**
 * Returns the location of the bridge, the program that clients start to reach the panel. It is the built file if there is one,
 * otherwise the TypeScript source, which needs the same Node as the panel.
 */
function bridgeOptions(home: string): Pick<OpenPanelOptions, 'bridgeScript' | 'doorkeeper'> {
  const built = fileURLToPath(new URL('../../out/bridge/bridge.cjs', import.meta.url));
  const isBuilt = existsSync(built);
  const script = isBuilt ? built : fileURLToPath(new URL('./bridge/main.ts', import.meta.url));
  const isTest = process.env['MCP_CONTROL_PANEL_TEST'] === '1';
  const panelCommand = isTest ? [] : [process.execPath, fileURLToPath(import.meta.url), '--home', home];
  return {
    ...(isBuilt && { bridgeScript: built }),
    doorkeeper: { node: process.execPath, script, panelCommand },
  };
}

interface Arguments {
  readonly home: string;
  readonly restores: boolean;
  readonly agrees: boolean;
  /** Names of the servers to agree to; undefined for all. */
  readonly names: string | undefined;
}

/** @throws StartProblem */
function readArguments(args: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        home: { type: 'string' },
        'restore-clients': { type: 'boolean', default: false },
        agree: { type: 'string' },
        'agree-all': { type: 'boolean', default: false },
      },
    });
    const { home, 'restore-clients': restores, agree: names, 'agree-all': isAll } = values;
    const agrees = isAll || names !== undefined;
    if (home) return { home: resolve(home), restores, agrees, names: isAll ? undefined : names };
  } catch (error) {
    throw new StartProblem(`${messageOf(error)}; ${USAGE}`);
  }
  throw new StartProblem(USAGE);
}

async function quit(exitCode: number): Promise<void> {
  if (isQuitting) return;
  isQuitting = true;
  opened?.quitBegins('end');
  await releaseAll({ clock: systemClock, release: () => parts.dispose(), notice: terminal.notice });
  process.exit(exitCode);
}

function describe(error: unknown): string {
  if (error instanceof StartProblem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
