import { execFile, type ExecFileOptions } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endProcess, readStarts, tinyServer } from '../../fixtures/fixture-server.ts';
import { eagerPanel } from './crash.ts';
import { figure, median, type Figure } from '../harness/figures.ts';
import { inFolder } from '../../support/homes.ts';
import { withLive } from './live.ts';
import { isAlive } from '../../support/proc.ts';

const INSTALL_LIMIT_MS = 120_000;
const COMMAND_LIMIT_MS = 30_000;
const START_LIMIT_MS = 15_000;
const ROUNDS = 5;
/** Least life of a program, because pm2 counts one of less than a second as unstable, and gives it up. */
const STABLE_MS = 1200;
/** Wait for pm2 to act on memory, which it looks at every 30 s. */
const HOG_WATCHED_MS = 45_000;
const POLL_MS = 1;

/**
 * Compares the same crash under pm2 and under this supervisor, in one run. Nothing where pm2 cannot be had.
 */
export const compareWithPm2 = (): Promise<readonly Figure[]> =>
  inFolder(async (folder) => {
    if (!(await canInstall(folder))) return [];
    const theirs = await measurePm2(folder);
    return [...theirs, figure('crash → new pid', 'ms', await measureOurs(join(folder, 'ours.log')))];
  });

async function canInstall(folder: string): Promise<boolean> {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', 'pm2@6', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  try {
    await run('npm', args, { cwd: folder, timeout: INSTALL_LIMIT_MS });
    return true;
  } catch {
    console.error('pm2 could not be fetched from the package registry: the comparison is left out');
    return false;
  }
}

async function run(command: string, args: readonly string[], options: ExecFileOptions): Promise<void> {
  await promisify(execFile)(command, [...args], options);
}

async function measurePm2(folder: string): Promise<readonly Figure[]> {
  const env = { ...process.env, PM2_HOME: join(folder, 'home'), PM2_DISABLE_VERSION_CHECK: 'true' };
  const program = join(folder, 'node_modules/pm2/bin/pm2');
  const pm2 = (...args: string[]) =>
    run(process.execPath, [program, ...args], { env, cwd: folder, timeout: COMMAND_LIMIT_MS });
  const [crashLog, hogLog] = [join(folder, 'crash.log'), join(folder, 'hog.log')];
  const shell = (name: string, line: string, ...flags: string[]) =>
    pm2('start', '/bin/sh', '--name', name, '--interpreter', 'none', ...flags, '--', '-c', line);
  try {
    await shell('crash', `echo $$ >> '${crashLog}'; exec sleep 1000`);
    const crashes = await crashRounds(crashLog);
    const hog = `'${process.execPath}' -e 'const held = Buffer.alloc(150 * 1024 * 1024, 1); setInterval(() => held, 1e6)'`;
    await shell('hog', `echo $$ >> '${hogLog}'; ${hog} & wait`, '--max-memory-restart', '100M');
    const isActedOn = await startsAgain(hogLog);
    const acted = `pm2: grandchild over the memory limit acted on within ${HOG_WATCHED_MS / 1000} s`;
    return [figure('pm2: crash → new pid', 'ms', crashes), figure(acted, '1 = yes', isActedOn ? 1 : 0)];
  } finally {
    await endPm2(() => pm2('kill'), join(folder, 'home', 'pm2.pid'));
  }
}

/** Kills the last process that `log` names, again and again, and takes the time to the next line. */
async function crashRounds(log: string): Promise<number> {
  const times: number[] = [];
  await startCount(log, 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    await delay(STABLE_MS);
    const starts = readStarts(log);
    const killedMs = performance.now();
    process.kill(starts.at(-1)!, 'SIGKILL');
    await startCount(log, starts.length + 1);
    times.push(performance.now() - killedMs);
  }
  return median(times);
}

async function startCount(log: string, count: number): Promise<void> {
  const endMs = performance.now() + START_LIMIT_MS;
  while (readStarts(log).length < count) {
    if (performance.now() > endMs) throw new Error(`no start number ${count} in ${log}`);
    await delay(POLL_MS);
  }
}

async function startsAgain(log: string): Promise<boolean> {
  await startCount(log, 1);
  const endMs = performance.now() + HOG_WATCHED_MS;
  while (performance.now() < endMs && readStarts(log).length < 2) await delay(500);
  return readStarts(log).length > 1;
}

async function endPm2(kill: () => Promise<void>, pidFile: string): Promise<void> {
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : undefined;
  await kill().catch(() => undefined);
  if (pid !== undefined && isAlive(pid)) await endProcess(pid);
}

function measureOurs(log: string): Promise<number> {
  const [script = ''] = tinyServer().args;
  const line = `echo $$ >> '${log}'; exec sh '${script}'`;
  return withLive(
    () => ({ command: 'sh', args: ['-c', line] }),
    eagerPanel,
    () => crashRounds(log),
  );
}
