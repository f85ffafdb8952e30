import { describe, expect, it } from 'vitest';
import { systemProgram } from '../../../electron/core/platform/windows/system-program.ts';
import { readBootId, type BootIdSource } from '../../../electron/core/platform/boot-id.ts';

/** Source that answers by the last word of the question; everything else fails. */
function source(answers: Readonly<Record<string, string>>): BootIdSource {
  const answer = async (question: string) => {
    const found = answers[question];
    if (found === undefined) throw new Error(`nobody knows ${question}`);
    return found;
  };
  return { readFile: answer, run: (command, args) => answer([command, args.at(-1)].join(' ')) };
}

describe('readBootId', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string | undefined]>([
    ['linux', { '/proc/sys/kernel/random/boot_id': 'abc-def\n' }, 'abc-def'],
    ['linux', {}, undefined],
    ['darwin', { 'sysctl kern.bootsessionuuid': 'UUID\n', 'sysctl kern.boottime': '{ sec = 1 }' }, 'UUID'],
    [
      'darwin',
      { 'sysctl kern.bootsessionuuid': '\n', 'sysctl kern.boottime': '{ sec = 1 }\n' },
      '{ sec = 1 }',
    ],
    ['darwin', {}, 'unknown'],
    [
      'win32',
      { [`${systemProgram('reg.exe')} BootId`]: '\r\nHKEY…\r\n    BootId    REG_DWORD    0x1f4\r\n' },
      '0x1f4',
    ],
    ['win32', {}, 'unknown'],
  ])('on %s from %j is %s', async (platform, answers, expected) => {
    expect(await readBootId(platform, source(answers))).toBe(expected);
  });

  it('is the same twice on this machine', async () => {
    expect(await readBootId()).toBe(await readBootId());
    if (process.platform === 'linux') expect(await readBootId()).toMatch(/^[0-9a-f-]{36}$/);
  });
});
