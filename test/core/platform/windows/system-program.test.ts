import { describe, expect, it } from 'vitest';
import { systemProgram } from '../../../../electron/core/platform/windows/system-program.ts';

describe('systemProgram', () => {
  it.each([
    [{ SystemRoot: 'D:\\Win' }, 'D:\\Win\\System32\\taskkill.exe'],
    [{ systemroot: 'D:\\Win' }, 'D:\\Win\\System32\\taskkill.exe'],
    [{}, 'C:\\Windows\\System32\\taskkill.exe'],
    [{ SystemRoot: 'Windows' }, 'C:\\Windows\\System32\\taskkill.exe'],
  ])('is an absolute path below the folder of Windows, given %j', (env, expected) => {
    expect(systemProgram('taskkill.exe', env)).toBe(expected);
  });
});
