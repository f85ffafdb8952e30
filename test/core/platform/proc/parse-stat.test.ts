import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseStat,
  parseContextSwitches,
  parseMemory,
  parseWrittenBytes,
} from '../../../../electron/core/platform/proc/parse-stat.ts';
import { memoryOfProcesses } from '../../../../electron/core/platform/tree-memory.ts';

const statLine = (command: string, state = 'S', threads = 11) =>
  `4321 (${command}) ${state} 1200 4300 3176 0 -1 4194304 107 305 0 0 150 25 70 5 20 0 ${threads} 0 91332 2654208 389 ` +
  '18446744073709551615 94596742995968 94596743072697 140730523853408 0 0 0 0 0 65538 1 0 0 17 1 0 0 0 0 0 ' +
  '94596743102000 94596743107136 94597047357440 140730523859463 140730523859697 140730523859697 140730523860972 0\n';

describe('parseStat', () => {
  it('reads identity, parent, group and both kinds of CPU time', () => {
    expect(parseStat(statLine('node'))).toEqual({
      line: statLine('node'),
      command: 'node',
      isZombie: false,
      isStopped: false,
      isHeld: false,
      isAtWork: false,
      ppid: 1200,
      groupId: 4300,
      sessionId: 3176,
      cpuTimeMs: 1750,
      reapedCpuTimeMs: 750,
      threadCount: 11,
      startTime: '91332',
    });
  });

  it('reads a name with any characters', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 15 }), (command) => {
        expect(parseStat(statLine(command))).toMatchObject({ command, ppid: 1200, startTime: '91332' });
      }),
    );
    expect(parseStat(statLine(') R 1 (x'))?.command).toBe(') R 1 (x');
  });

  it('tells stopped by a signal from stopped by a tracer', () => {
    expect(parseStat(statLine('x', 'T'))?.isStopped).toBe(true);
    expect(parseStat(statLine('x', 't'))).toMatchObject({ isStopped: false, isHeld: true });
    const atWork = ['R', 'D', 'S', 'T', 'I'].filter((state) => parseStat(statLine('x', state))?.isAtWork);
    expect(atWork).toEqual(['R', 'D']);
  });

  it('takes an ended process for a zombie, but not one whose first thread alone has ended', () => {
    expect(parseStat(statLine('x', 'Z', 1))?.isZombie).toBe(true);
    expect(parseStat(statLine('x', 'X', 0))?.isZombie).toBe(true);
    expect(parseStat(statLine('x', 'Z', 4))?.isZombie).toBe(false);
  });

  it.each(['', '4321', '4321 (x', '4321 (x) S 1 2 3', ')('])('gives nothing for %j', (text) => {
    expect(parseStat(text)).toBeUndefined();
  });
});

describe('parseMemory', () => {
  it('gives no private memory on kernels that do not tell it, and none at all for kernel threads', () => {
    const status = (lines: string) => `Name:\tnode\nUmask:\t0022\n${lines}Threads:\t1\n`;
    expect(parseMemory(status('VmRSS:\t 8 kB\n'))).toEqual({ rssBytes: 8192 });
    expect(parseMemory(status(''))).toEqual({});
  });
});

it('gives no figure that a file does not hold, and one with which it begins', () => {
  expect(parseContextSwitches('Threads:\t1\n')).toBeUndefined();
  expect(parseWrittenBytes('')).toBeUndefined();
  expect(parseWrittenBytes('wchar: 5\n')).toBe(5);
});

const KIB = 1024;

function filesWith(statusOf: Readonly<Record<number, string>>) {
  return {
    read: (path: string) => statusOf[Number.parseInt(path, 10)],
    list: () => undefined,
    link: () => undefined,
    stat: () => undefined,
  };
}

const status = (anonymous: number, file: number, shmem: number) =>
  `Name:\tapp\nTracerPid:\t0\nVmRSS:\t${anonymous + file + shmem} kB\nRssAnon:\t${anonymous} kB\nRssFile:\t${file} kB\nRssShmem:\t${shmem} kB\n`;

describe('memoryOfProcesses', () => {
  it('adds what each has for itself, and counts once what they share', () => {
    const files = filesWith({ 1: status(1000, 500, 20), 2: status(2000, 600, 10) });
    expect(memoryOfProcesses([1, 2, 3], files)).toBe((1000 + 2000 + 610) * KIB);
  });

  it('is not known where no process tells', () => {
    expect(memoryOfProcesses([1], filesWith({}))).toBeUndefined();
    expect(memoryOfProcesses([1], filesWith({ 1: 'Name:\tapp\nVmRSS:\t10 kB\n' }))).toBeUndefined();
  });
});
