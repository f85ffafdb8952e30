import { describe, expect, it } from 'vitest';
import { parseCpuTime, parsePs } from '../../../../electron/core/platform/ps-process-table.ts';

/** Lines as macOS prints them. */
const MACOS = `
    1     0     1 Ss   Mon Sep  1 08:00:01 2025      9712   3:14.25 /sbin/launchd
  612     1   612 S    Mon Sep  1 08:01:12 2025    120496  12:00.01 /Applications/My App.app/Contents/MacOS/My App
 4100   612  4100 S+   Tue Sep 16 17:22:09 2025     61344   0:01.53 node
 4101  4100  4100 T    Tue Sep 16 17:22:10 2025     41000   0:00.40 /opt/homebrew/bin/node
 4102  4100  4100 Z    Tue Sep 16 17:22:11 2025         0   0:00.00 (sh)
 4103  4100  4100 SX+  Tue Sep 16 17:22:11 2025      2048 101:02.50 python3.12
`;

/** Lines as procps prints them. */
const LINUX = '      7       1       7 Rs   Fri Nov  21 22:40:32 2025  1680 1-02:03:04 sh\n';

describe('parsePs', () => {
  it('reads what macOS prints, spaces in names and whole paths included', () => {
    const readings = parsePs(MACOS);
    expect(readings.map(({ pid, command }) => [pid, command])).toEqual([
      [1, 'launchd'],
      [612, 'My App'],
      [4100, 'node'],
      [4101, 'node'],
      [4103, 'python3.12'],
    ]);
    expect(readings[2]).toEqual({
      pid: 4100,
      ppid: 612,
      groupId: 4100,
      startTime: 'Tue Sep 16 17:22:09 2025',
      command: 'node',
      isStopped: false,
      isHeld: false,
      cpuTimeMs: 1530,
      reapedCpuTimeMs: 0,
      rssBytes: 61_344 * 1024,
    });
  });

  it('sees stopped and held processes, and takes a zombie for dead', () => {
    const states = new Map(parsePs(MACOS).map((reading) => [reading.pid, reading]));
    expect(states.get(4101)?.isStopped).toBe(true);
    // It is traced, and runs.
    expect(states.get(4103)).toMatchObject({ isStopped: false, isHeld: false });
    expect(parsePs(MACOS.replace(' SX+ ', ' TX+ '))).toContainEqual(
      expect.objectContaining({ pid: 4103, isStopped: false, isHeld: true }),
    );
    expect(states.has(4102)).toBe(false);
  });

  it('reads what Linux prints', () => {
    expect(parsePs(LINUX)).toMatchObject([
      { pid: 7, startTime: 'Fri Nov 21 22:40:32 2025', cpuTimeMs: 93_784_000 },
    ]);
  });

  it('leaves out lines that are something else', () => {
    expect(parsePs('ps: illegal option\n\n  PID PPID\n 1 2 3\n')).toEqual([]);
  });
});

describe('parseCpuTime', () => {
  it.each([
    ['0:00.02', 20],
    ['101:02.50', 6_062_500],
    ['00:01:05', 65_000],
    ['2-00:00:01', 172_801_000],
  ])('reads %s', (text, ms) => {
    expect(parseCpuTime(text)).toBe(ms);
  });
});
