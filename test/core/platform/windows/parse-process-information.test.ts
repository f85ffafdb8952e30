import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseProcessInformation,
  epochMsOfTicks,
} from '../../../../electron/core/platform/windows/kernel-processes.ts';
import { BASE, processInformation } from './process-information.ts';

const node = {
  pid: 880,
  parentPid: 612,
  createTime: 134_000_000_123_456_789n,
  userTime: 12_500_000n,
  kernelTime: 2_500_000n,
  handles: 310,
  workingSet: 38_000_000n,
  privateWorkingSet: 21_000_000n,
  pagefileUsage: 25_000_000n,
  writtenBytes: 52_000n,
  name: 'nöde.exe',
  threads: 3,
};

describe('parseProcessInformation', () => {
  it('reads what the kernel has written, the idle process excepted', () => {
    const idle = { ...node, pid: 0, name: '' };
    const readings = parseProcessInformation(processInformation([idle, node, { ...node, pid: 900 }]), BASE);
    expect(readings.map(({ pid }) => pid)).toEqual([880, 900]);
    expect(readings[0]).toEqual({
      pid: 880,
      ppid: 612,
      startTime: '638911232123456780',
      command: 'nöde.exe',
      isStopped: false,
      isHeld: false,
      cpuTimeMs: 1500,
      reapedCpuTimeMs: 0,
      rssBytes: 38_000_000,
      privateBytes: 21_000_000,
      sharedBytes: 17_000_000,
      openFiles: 310,
      writtenBytes: 52_000,
    });
  });

  it('names the moment at which a process started', () => {
    const [reading] = parseProcessInformation(processInformation([node]), BASE);
    const unixMs = Number(node.createTime / 10_000n) - 11_644_473_600_000;
    expect(epochMsOfTicks(reading!.startTime)).toBe(unixMs);
  });

  it('takes what was committed for the memory where the system tells no private part of it', () => {
    const [reading] = parseProcessInformation(processInformation([{ ...node, privateWorkingSet: 0n }]), BASE);
    expect(reading).toMatchObject({ rssBytes: 38_000_000, privateBytes: 25_000_000 });
    expect(reading).not.toHaveProperty('sharedBytes');
  });

  it('reads no byte outside of what it was given, whatever stands there', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const readings = parseProcessInformation(Buffer.from(bytes), BASE);
        expect(readings.length).toBeLessThanOrEqual(bytes.length);
      }),
    );
    const bytes = processInformation([node]);
    bytes.writeBigUInt64LE(BASE + 1_000_000n, 64);
    expect(parseProcessInformation(bytes, BASE)[0]?.command).toBe('');
  });
});
