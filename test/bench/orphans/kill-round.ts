import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { tinyServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { allPids, readProc, treeOf } from '../../support/proc.ts';
import { inFolder, numbered, writeHome } from '../../support/homes.ts';

const HEADLESS = join(import.meta.dirname, '../../../electron/core/headless.ts');
const HELPER = 'mcp-control-panel-death-pipe';
/** More than may start at a time, so that some are in each step of their start at any moment of the kill. */
const SERVERS = 12;
/** In the environment of every process of a round, and of nothing else. */
const ROUND_NAME = 'ORPHAN_BENCH_ROUND';
const LONGEST_MS = 180_000;

export interface KillRound {
  /** Servers that had been spawned by the time of the kill. */
  readonly spawned: number;
  /** Processes that lived on when the panel was dead. */
  readonly orphans: number;
  /** Those of them that the next start has not ended. */
  readonly left: number;
}

/**
 * Starts the core, kills it and the helper on its death pipe in the midst of the starts, starts it again, and counts. Linux alone.
 * @param delayMs from the first spawn of a server to the kill
 */
export const killRound = (delayMs: number): Promise<KillRound> =>
  inFolder(async (home) => {
    const id = home.slice(-6);
    const log = join(home, 'spawned');
    writeFileSync(log, '');
    const cores: ChildProcess[] = [];
    const servers = numbered(SERVERS, 's', () => loggingServer(log, id));
    writeHome(home, servers, { gateway: { enabled: false } });
    try {
      const first = startCore(home, cores);
      await until(() => readFileSync(log, 'utf8') !== '', 'a server is spawned');
      await sleep(delayMs);
      killWithHelper(first);
      await once(first, 'exit');
      const orphans = processesOf(id).length;
      writeHome(home, { last: tinyServer() });
      const second = startCore(home, cores);
      let isRunning = false;
      const lines = createInterface({ input: second.stdout! });
      lines.on('line', (line) => (isRunning ||= / last running/.test(line)));
      // No server starts before leftovers of an earlier panel have been searched for.
      await until(() => isRunning, 'the next panel runs its server');
      second.kill('SIGTERM');
      await once(second, 'exit');
      const left = processesOf(id);
      for (const pid of left) process.kill(pid, 'SIGKILL');
      return { spawned: readFileSync(log, 'utf8').split('\n').length - 1, orphans, left: left.length };
    } finally {
      for (const core of cores) core.kill('SIGKILL');
    }
  });

const until = (holds: () => boolean, describe: string) =>
  waitUntil(holds, { deadlineMs: LONGEST_MS, describe });

/** With a login shell that answers soon, because no server starts before it has. */
function startCore(home: string, cores: ChildProcess[]): ChildProcess {
  const env = { ...process.env, SHELL: '/bin/sh' };
  const args = [HEADLESS, '--home', home];
  const core = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  cores.push(core);
  return core;
}

/** Both at once: the helper first, because it would see the panel die. */
function killWithHelper(core: ChildProcess): void {
  const helpers = treeOf(core.pid!).filter((pid) => readProc(pid, 'cmdline').includes(HELPER));
  for (const pid of helpers) process.kill(pid, 'SIGKILL');
  core.kill('SIGKILL');
}

/** A server that writes its start down with its first instruction. It outlives the end of its stdin. */
function loggingServer(log: string, id: string): object {
  const { command, args } = tinyServer();
  const script = `echo $$ >> "$0"; "$@"; sleep 600`;
  return { command: 'sh', args: ['-c', script, log, command, ...args], env: { [ROUND_NAME]: id } };
}

const processesOf = (id: string): number[] =>
  allPids().filter((pid) => readProc(pid, 'environ').includes(`${ROUND_NAME}=${id}\0`));
