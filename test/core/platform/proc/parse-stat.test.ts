import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseStat,
  parseContextSwitches,
  parseMemory,
  parseWrittenBytes,
} from '../../../../electron/core/platform/proc/parse-stat.ts';

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
  const status = (lines: string) => `Name:\tnode\nUmask:\t0022\nState:\tS (sleeping)\n${lines}Threads:\t1\n`;

  it('reads private and shared memory in bytes', () => {
    const text = status(
      'TracerPid:\t0\nVmRSS:\t    1704 kB\nRssAnon:\t 112 kB\nRssFile:\t 1588 kB\nRssShmem:\t 4 kB\n',
    );
    expect(parseMemory(text)).toEqual({
      rssBytes: 1704 * 1024,
      privateBytes: 112 * 1024,
      sharedBytes: 1592 * 1024,
    });
  });

  it('gives no private memory on kernels that do not tell it, and none at all for kernel threads', () => {
    expect(parseMemory(status('VmRSS:\t 8 kB\n'))).toEqual({ rssBytes: 8192 });
    expect(parseMemory(status(''))).toEqual({});
  });
});

describe('parseContextSwitches', () => {
  it('adds up those that it gave and those that it lost', () => {
    const text = 'Threads:\t1\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\n';
    expect(parseContextSwitches(text)).toBe(695);
    expect(parseContextSwitches('Threads:\t1\n')).toBeUndefined();
  });
});

describe('parseWrittenBytes', () => {
  it('reads what was handed to write, also in a file that begins with it', () => {
    expect(parseWrittenBytes('rchar: 34580\nwchar: 1029\nsyscr: 58\nwrite_bytes: 4096\n')).toBe(1029);
    expect(parseWrittenBytes('wchar: 5\n')).toBe(5);
    expect(parseWrittenBytes('')).toBeUndefined();
  });
});
