import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PanelError } from '../../../shared/error-codes.ts';
import type { ProcessView } from '../../../shared/processes.ts';
import { fixtureServer, fixtureWrapper, readProcesses, waitUntil } from '../../fixtures/fixture-server.ts';
import { panelOfTest } from './panel-of-test.ts';
import { skipOn } from '../../support/skip-on.ts';
import { isAlive } from '../../support/proc.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder('processes-');
});

const SECRET = 'Zx81-hush-hush-9c4d';

/** Panel with one wrapped server that has a child, all of it up and seen by the sampler. */
async function runningTree(...flags: string[]) {
  const pidFile = join(folder, 'pids');
  const wrapped = fixtureWrapper(
    `--pid-file=${pidFile}`,
    '--grandchild',
    ...flags,
    '--',
    `--token=${SECRET}`,
  );
  const { panel } = await panelOfTest({
    tree: { ...wrapped, panel: { stopGraceMs: 300 } },
    other: fixtureServer(),
  });
  panel.start();
  const seen = async (name: string) => (await panel.processes.view(name)).processes.filter(isNoConsole);
  await waitUntil(
    async () => (await seen('tree')).filter(({ cpuPercent }) => cpuPercent !== undefined).length === 3,
    {
      deadlineMs: 30_000,
      describe: 'the tree of three is seen twice',
    },
  );
  await waitUntil(async () => (await seen('other')).length === 1, {
    deadlineMs: 30_000,
    describe: 'the other server is seen',
  });
  const pids = Object.fromEntries(readProcesses(pidFile).map(({ role, pid }) => [role, pid]));
  return { panel, pids, processes: await seen('tree') };
}

/** Windows puts a console host below each server, in no fixed place among its children. */
const isNoConsole = ({ program }: ProcessView) => program !== 'conhost.exe';

const codeOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 'done',
    (error: PanelError) => error.code,
  );

const withCommandLines = skipOn('wine', 'wine tells no command line of another process');

describe('processes of a server', skipOn('darwin', 'it expects the figures of Linux or Windows'), () => {
  it('are told as a tree with their figures and their start', async () => {
    const { processes, pids } = await runningTree();
    expect(processes.map(({ pid, ppid }) => [pid, ppid])).toEqual([
      [pids['wrapper'], process.pid],
      [pids['server'], pids['wrapper']],
      [pids['idle-child'], pids['server']],
    ]);
    for (const one of processes) {
      expect(one.memoryBytes).toBeGreaterThan(1_000_000);
      expect(one.openFiles).toBeGreaterThan(2);
      expect(Math.abs((one.startedAt ?? 0) - Date.now())).toBeLessThan(120_000);
    }
  });

  it('show their command lines without secrets', withCommandLines, async () => {
    const { processes } = await runningTree();
    const server = processes[1]?.commandLine ?? '';
    expect(server).toContain('server.mjs');
    expect(server).toContain('--token=');
    expect(server).not.toContain(SECRET);
  });

  it('can be ended one at a time, by force where SIGTERM is not heard, and the rest lives on', async () => {
    const { panel, processes, pids } = await runningTree('--grandchild-ignores-sigterm');
    const child = processes.find(({ pid }) => pid === pids['idle-child'])!;
    await panel.processes.end('tree', child);
    expect([pids['idle-child'], pids['server'], pids['wrapper']].map((pid) => isAlive(pid!))).toEqual([
      false,
      true,
      true,
    ]);
    expect(panel.getSnapshot().servers[0]?.state.kind).toBe('running');
    expect(await codeOf(panel.processes.end('tree', child))).toBe('PROCESS_UNKNOWN');
  });

  it('are ended only as the process that was named: by its start time, in its own server, and never the panel', async () => {
    const { panel, processes, pids } = await runningTree();
    const [root, server] = processes;
    const [stranger] = (await panel.processes.view('other')).processes;
    const own = { pid: process.pid, startTime: root!.startTime };
    const refused = [
      { ...server!, startTime: `${Number(server!.startTime) - 1}` },
      { ...root!, startTime: 'another' },
      stranger!,
      own,
    ];
    for (const id of refused) expect(await codeOf(panel.processes.end('tree', id))).toBe('PROCESS_UNKNOWN');
    expect(await codeOf(panel.processes.end('nobody', server!))).toBe('SERVER_UNKNOWN');
    for (const pid of [...Object.values(pids), stranger!.pid]) expect(isAlive(pid)).toBe(true);
  });

  it('end with their server when the first of them is ended, which is then restarted', async () => {
    const { panel, processes, pids } = await runningTree();
    await panel.processes.end('tree', processes[0]!);
    expect(isAlive(pids['wrapper']!)).toBe(false);
    await waitUntil(() => panel.getSnapshot().servers[0]?.generation === 2, {
      deadlineMs: 30_000,
      describe: 'the next generation',
    });
  });
});
