import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { Footprints, parseTop } from '../../../../electron/core/platform/ps/footprints.ts';
import { PsProcessTable } from '../../../../electron/core/platform/ps-process-table.ts';
import { treeMemoryBytes } from '../../../../electron/core/platform/tree-memory.ts';
import { createFakeClock } from '../../fake-clock.ts';

const MIB = 1024 * 1024;
const FIRST = 'Mon Sep  1 08:00:01 2025';
const LATER = 'Mon Sep  1 09:00:00 2025';

/** Two processes of one tree by pid, with their resident sizes in MiB. */
const psLine = (pid: number, ppid: number, rssMib: number, started = FIRST) =>
  ` ${pid} ${ppid} 1 S    ${started}  ${rssMib * 1024} 0:01.00 node`;
const topOf = (...lines: readonly string[]) => ['PID    MEM   ', ...lines].join('\n');

function build() {
  const clock = createFakeClock();
  const looks: ReturnType<typeof createDeferred<string>>[] = [];
  const system = { ps: [psLine(10, 1, 100), psLine(11, 10, 100)].join('\n') };
  const run = async (command: string) => {
    if (command === 'ps') return system.ps;
    const look = createDeferred<string>();
    looks.push(look);
    return look.promise;
  };
  const table = new PsProcessTable({ run, refine: new Footprints({ run, clock }).of });
  const read = async () => {
    const tree = (await table.readTrees([10])).get(10) ?? [];
    return { tree, memoryMib: (treeMemoryBytes(tree) ?? 0) / MIB };
  };
  /** Answers the look that is under way. */
  const answer = async (output: string) => {
    looks.at(-1)?.resolve(output);
    await clock.advance(0);
  };
  return { clock, looks, system, table, read, answer };
}

describe('Footprints', () => {
  it('counts what each process has for itself, where resident sizes count shared libraries in each', async () => {
    const { read, answer } = build();
    expect((await read()).memoryMib).toBe(200);
    await answer(topOf('10 30M', '11 20M+'));
    const { tree, memoryMib } = await read();
    expect(memoryMib).toBe(50);
    expect(tree.map(({ rssBytes }) => rssBytes)).toEqual([100 * MIB, 100 * MIB]);
  });

  it('counts the same for all processes', async () => {
    const { table, answer } = build();
    await table.readAll();
    await answer(topOf('10 30M', '11 20M+'));
    expect((await table.readAll()).map(({ privateBytes = 0 }) => privateBytes / MIB)).toEqual([30, 20]);
  });

  it('shows growth at once, and what was given back with the next look', async () => {
    const { clock, system, read, answer } = build();
    await read();
    await answer(topOf('10 30M', '11 20M'));
    system.ps = [psLine(10, 1, 160), psLine(11, 10, 90)].join('\n');
    expect((await read()).memoryMib).toBe(110);
    await clock.advance(10_000);
    await read();
    await answer(topOf('10 25M', '11 15M'));
    expect((await read()).memoryMib).toBe(40);
  });

  it('makes no pass wait, and looks at most every ten seconds, one look at a time', async () => {
    const { clock, looks, read, answer } = build();
    await read();
    await clock.advance(60_000);
    await read();
    expect(looks).toHaveLength(1);
    await answer(topOf('10 30M'));
    await read();
    expect(looks).toHaveLength(1);
  });

  it('costs a busy system at most two hundredths of a core', async () => {
    const { clock, looks, read, answer } = build();
    await read();
    await clock.advance(2000);
    await answer(topOf('10 30M', '11 20M'));
    await clock.advance(99_000);
    await read();
    expect(looks).toHaveLength(1);
    await clock.advance(1000);
    await read();
    expect(looks).toHaveLength(2);
  });

  it('gives no process the footprint of another that had its pid', async () => {
    const { system, read, answer } = build();
    await read();
    await answer(topOf('10 30M', '11 20M'));
    system.ps = [psLine(10, 1, 100), psLine(11, 10, 100, LATER)].join('\n');
    const { tree } = await read();
    expect(tree.map(({ privateBytes }) => privateBytes)).toEqual([30 * MIB, undefined]);
  });

  it.each([
    ['fails', (look: { reject(error: Error): void }) => look.reject(new Error('no such program'))],
    ['says nothing that can be read', (look: { resolve(text: string): void }) => look.resolve('?')],
  ] as const)('keeps to resident sizes where top %s, and asks again minutes later', async (_case, end) => {
    const { clock, looks, read } = build();
    await read();
    end(looks[0]!);
    await clock.advance(60_000);
    expect((await read()).memoryMib).toBe(200);
    expect(looks).toHaveLength(1);
    await clock.advance(240_000);
    await read();
    expect(looks).toHaveLength(2);
  });

  it('asks nothing where no tree is looked at', async () => {
    const { looks, table } = build();
    await table.readTrees([]);
    expect(looks).toEqual([]);
  });
});

/** As macOS prints one sample with the columns pid and mem. */
const LISTING = [
  'Processes: 612 total, 3 running, 609 sleeping, 3120 threads ',
  '2026/11/22 21:00:00',
  'Load Avg: 2.10, 2.31, 2.40 ',
  'CPU usage: 9.30% user, 13.95% sys, 76.74% idle ',
  'PhysMem: 15G used (2103M wired, 4012M compressor), 812M unused.',
  '',
  'PID    MEM   ',
  '91234  48M+  ',
  '812    1696K ',
  '400    1.5G- ',
  '301*   912B  ',
  '0      17G   ',
  '77     N/A   ',
].join('\n');

describe('parseTop', () => {
  it('reads the footprint of each process in bytes, whatever its unit and its trend', () => {
    expect([...parseTop(LISTING)]).toEqual([
      [91234, 48 * MIB],
      [812, 1696 * 1024],
      [400, 1.5 * 1024 * MIB],
      [301, 912],
      [0, 17 * 1024 * MIB],
    ]);
  });

  it('reads nothing of another text, and never throws', () => {
    expect(parseTop('top: unknown option').size).toBe(0);
    fc.assert(fc.property(fc.string(), (text) => parseTop(text).size <= text.split('\n').length));
  });
});
