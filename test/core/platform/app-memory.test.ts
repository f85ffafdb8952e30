import { describe, expect, it } from 'vitest';
import { memoryOfProcesses } from '../../../electron/core/platform/tree-memory.ts';

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
