import { expect, it, onTestFinished } from 'vitest';
import type { CreateScan } from '../../../electron/core/left-behind/parent-scan.ts';
import { calls } from '../../../shared/ipc/topics.ts';
import { createFakeClock } from '../fake-clock.ts';
import { processSystemHere } from '../../support/process-system.ts';
import { eventually } from '../support/eventually.ts';
import { openTestPanel } from './open-test-panel.ts';

const MIB = 1024 * 1024;
const TOKEN = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

const tree = [
  { pid: 10_000_010, ppid: 1, startTime: '100', command: 'sh' },
  { pid: 10_000_011, ppid: 10_000_010, startTime: '101', command: 'node', rssBytes: MIB },
].map((one) => ({ ...one, isStopped: false, isHeld: false, cpuTimeMs: 0, reapedCpuTimeMs: 0 }));

/** A panel whose scans find one tree, with these command lines. */
async function open(commandLine = 'node server.js') {
  const clock = createFakeClock();
  let scans = 0;
  const createScan: CreateScan = () => () => {
    scans += 1;
    const rest = { isCertain: true, listens: false, daemons: [] };
    return Promise.resolve([{ tree, client: 'claude-code', server: 'search', name: 'search-mcp', ...rest }]);
  };
  const { table: system } = processSystemHere();
  const describe = () => Promise.resolve(new Map(tree.map(({ pid }) => [pid, { commandLine }])));
  const table = Object.assign(system, { describe });
  const opened = await openTestPanel({}, { clock, createScan, table });
  const { panel } = opened;
  onTestFinished(async () => {
    const ended = opened.dispose();
    await clock.advance(60_000);
    await ended;
  });
  panel.start();
  await eventually(() => panel.gateway.status().isListening);
  return { ...opened, clock, scans: () => scans };
}

it('reports what was left behind once, as data that the page may have, and scans no more with the setting off', async () => {
  const { panel, clock, scans } = await open();
  const events = () => panel.getSnapshot().events.filter(({ kind }) => kind === 'left-behind');
  await panel.leftBehind.find();
  await clock.advance(31_000);
  const found = await panel.leftBehind.find();
  const [first] = calls.findLeftBehind.result.parse(found);
  expect(first).toMatchObject({
    ...{
      id: '10000010:100',
      client: 'Claude Code',
      server: 'search',
      program: 'search-mcp',
      pids: [10_000_010, 10_000_011],
    },
    ...{ memoryBytes: MIB, certain: true, listens: false },
    processes: [
      { pid: 10_000_010, program: 'sh' },
      { pid: 10_000_011, ppid: 10_000_010, program: 'node', memoryBytes: MIB },
    ],
  });
  await panel.leftBehind.find();
  expect(events()).toMatchObject([
    {
      server: null,
      detail: {
        client: 'Claude Code',
        count: 2,
        memoryBytes: MIB,
        programs: ['search-mcp'],
        trees: ['10000010:100'],
      },
    },
  ]);
  await panel.settings.update({ leftBehind: false });
  const before = scans();
  expect(await panel.leftBehind.find()).toEqual([]);
  expect(scans()).toBe(before);
});

it('shows no secret of a command line', async () => {
  const { panel, clock } = await open(`node server.js --token ${TOKEN}`);
  await panel.leftBehind.find();
  await clock.advance(31_000);
  const [found] = await panel.leftBehind.find();
  const lines = found?.processes.map(({ commandLine }) => commandLine);
  expect(lines?.[0]).toMatch(/^node server.js --token /);
  expect(JSON.stringify(found)).not.toContain(TOKEN);
});

it('takes from the page only ids of trees', () => {
  const parse = (value: unknown) => calls.endLeftBehind.args.safeParse(value).success;
  expect(parse([['10:a']])).toBe(true);
  for (const wrong of [[[]], [['']], [[10]], ['10:a'], [['x'.repeat(201)]], [Array(1001).fill('1:a')]])
    expect(parse(wrong), JSON.stringify(wrong).slice(0, 40)).toBe(false);
});
