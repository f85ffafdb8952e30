import { access, constants } from 'node:fs/promises';
import { spawnDetached } from '../platform/detached-process.ts';
import { programFinder } from '../platform/find-program.ts';
import { programSearch } from '../platform/program-search.ts';
import { readServedServers } from './served-servers.ts';
import type { WaitingProcess } from './stand-by.ts';

export interface DoorkeeperStart {
  /** Node executable; default: that of the PATH, because the app does not include one. */
  readonly node?: string;
  /** Absolute path of the bridge's script, which contains the doorkeeper. */
  readonly script: string;
  readonly panelCommand: readonly string[];
}

export interface SpawnKeeperOptions extends Required<DoorkeeperStart> {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Starts the doorkeeper, the process that takes the port over when the panel ends, which it notices by the end of its stdin. */
export function spawnKeeper(options: SpawnKeeperOptions): WaitingProcess {
  const { node, script, home, panelCommand, env, platform } = options;
  const args = [script, 'keep', home, ...panelCommand];
  const { write, end, spoke, ended } = spawnDetached(node, args, { env, platform, cwd: home, speaks: true });
  return { node, say: (word) => write(`${word}\n`), letGo: end, waits: spoke, ended };
}

/** Starts the doorkeeper without a panel; it starts one for the first client. Returns false if no Node executable was found. */
export async function startDoorkeeperAlone(home: string, start: DoorkeeperStart): Promise<boolean> {
  const { env, platform } = process;
  // A process that is started at login does not have the PATH of a terminal. So the Node executable that the panel recorded at
  // its last start is used, if it still exists.
  const known = (await readServedServers(home))?.node;
  const node = known !== undefined && (await isProgram(known)) ? known : await findNode();
  if (node === undefined) return false;
  spawnKeeper({ ...start, node, home, env, platform }).letGo();
  return true;
}

/** Returns the Node executable on this PATH, which by default is that of this process. */
export async function findNode(path = process.env['PATH']): Promise<string | undefined> {
  const search = programSearch('node', { ...process.env, PATH: path }, process.platform);
  const found = await programFinder(process.platform)(search);
  return 'file' in found ? found.file : undefined;
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
