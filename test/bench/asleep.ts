/**
 * What sleep gives back: real servers from npm run, fall asleep, and are woken by a call. Measured are the memory that they
 * hold awake, what is left of it asleep, and the time of the call that wakes one, beside the same server's own start: from
 * its spawn over the handshake to the answer of the same call. Both take turns. Runs only when it is named, because it
 * fetches 34 packages: `npm run bench -- asleep`; `--packages=FOLDER` takes them from a folder where they are installed. Linux
 * only.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DisposeStack } from '../../electron/core/dispose-stack.ts';
import { openPanel } from '../../electron/core/panel/open-panel.ts';
import { killAll, processesOfTest, TEST_RUN_NAME } from '../e2e/support/processes.ts';
import { waitUntil } from '../e2e/support/wait-until.ts';
import { entryIn, fetchSpecs } from '../fixtures/gateways/npm-packages.ts';
import { realServers, type RealServer } from '../fixtures/real-servers.ts';
import { plainCore } from '../support/plain-core.ts';
import { inFolder, writeHome, type Servers } from '../support/homes.ts';
import { memoryBytes } from '../support/proc.ts';
import { figure, flag, inTurns, median, quantile, report, type Figure } from './harness/figures.ts';
import { ownStartMs, type OwnCommand } from './harness/own-start.ts';

const ROUNDS = 3;
const START_LIMIT_MS = 300_000;
/** No server has it, so that each answers at once and does nothing. */
const call = { method: 'tools/call', params: { name: 'no-such-tool', arguments: {} } } as const;

const problems: string[] = [];
await inFolder(async (folder) => {
  const work = join(folder, 'work');
  mkdirSync(work);
  const servers = realServers(work);
  const kept = flag('packages');
  const packages =
    kept === undefined
      ? await fetchSpecs([
          // Some of them fetch a browser when they are installed.
          '--ignore-scripts',
          ...servers.map(({ name, version }) => `${name}@${version}`),
        ])
      : { folder: kept, remove: () => undefined };
  if (packages === undefined) {
    report('asleep', [], ['the servers could not be fetched']);
    return;
  }
  try {
    const commands = new Map(servers.map((one) => [nameOf(one), commandOf(one, packages.folder, work)]));
    report('asleep', await measure(join(folder, 'home'), commands), problems);
  } finally {
    packages.remove();
  }
});
process.exit();

async function measure(home: string, commands: ReadonlyMap<string, OwnCommand>): Promise<Figure[]> {
  const run = randomUUID();
  // A call to an exclusive server would start a process of its own, and measure that one.
  const entries = [...commands].map(([name, { env, ...entry }]) => [
    name,
    {
      ...entry,
      env: { ...env, [TEST_RUN_NAME]: run },
      panel: { startTimeoutMs: 120_000, sessions: { mode: 'shared' } },
    },
  ]);
  const parts = new DisposeStack();
  const panel = await openPanel({
    ...plainCore(writeHome(home, Object.fromEntries(entries) as Servers)),
    parts,
  });
  panel.onPush(() => undefined);
  panel.start();
  const kindsOf = () => new Map(panel.getSnapshot().servers.map(({ name, state }) => [name, state.kind]));
  try {
    await waitUntil(
      'every server to run',
      () => [...kindsOf().values()].every((kind) => kind === 'running'),
      START_LIMIT_MS,
    ).catch(() => undefined);
    const up = [...kindsOf()].flatMap(([name, kind]) => (kind === 'running' ? [name] : []));
    for (const name of commands.keys()) if (!up.includes(name)) problems.push(`${name} did not start`);
    const awake = heldMib(run);
    for (const name of up) await panel.servers.sleep(name);
    const left = processesOfTest(run).length;
    const asleep = heldMib(run);
    const ratios: number[] = [];
    for (const name of up) {
      const wake = async () => {
        const beganMs = performance.now();
        const request = { callId: randomUUID(), context: 'window', name, ...call };
        await panel.sessions.call(request).catch(() => undefined);
        const tookMs = performance.now() - beganMs;
        await panel.servers.sleep(name);
        return tookMs;
      };
      const acts = new Map([
        ['own', () => ownStartMs(commands.get(name)!, call)] as const,
        ['wake', wake] as const,
      ]);
      const taken = await inTurns(acts, ROUNDS);
      const [own, woken] = [median(taken.get('own')!), median(taken.get('wake')!)];
      console.error(`${name}: own start ${own.toFixed(0)} ms, woken by a call in ${woken.toFixed(0)} ms`);
      ratios.push(woken / own);
    }
    return [
      figure('servers that ran', 'count', up.length),
      figure('memory that they hold awake', 'MiB', awake),
      figure('memory of theirs that is left asleep', 'MiB', asleep, 0),
      figure('processes of theirs that are left asleep', 'count', left, 0),
      figure('call that wakes one ÷ its own start, median', '×', median(ratios), 1.1),
      figure('call that wakes one ÷ its own start, p90', '×', quantile(ratios, 0.9)),
    ];
  } finally {
    await parts.dispose();
    killAll(processesOfTest(run));
  }
}

function nameOf({ name }: RealServer): string {
  return name.replaceAll(/[^A-Za-z0-9._-]/g, '-').replace(/^-/, '');
}

function commandOf({ name, args = [] }: RealServer, folder: string, cwd: string): OwnCommand {
  const env = { HOME: cwd, PATH: process.env['PATH'] ?? '' };
  return { command: process.execPath, args: [entryIn(folder, name), ...args], env, cwd };
}

/** Resident memory of the processes that were marked, in MiB. */
function heldMib(run: string): number {
  return processesOfTest(run).reduce((sum, { pid }) => sum + (memoryBytes(pid, 'VmRSS') || 0) / 2 ** 20, 0);
}
