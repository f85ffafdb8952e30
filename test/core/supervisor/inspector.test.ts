import { describe, expect, it } from 'vitest';
import { runsUnderDebugger } from '../../../electron/core/supervisor/debugger.ts';
import { testConfig } from './supervisor-bench.ts';

const isDebugged = (command: string, ...args: string[]) =>
  runsUnderDebugger(testConfig({}, { command, args }));

describe('runsUnderDebugger', () => {
  it.each([
    ['node', '--inspect-brk=9230', 'server.js'],
    ['python3', '-m', 'debugpy', 'server.py'],
    ['/usr/local/bin/dlv', 'exec', 'server'],
    // Windows finds programs by suffixes, and in any case of letters.
    [String.raw`C:\Go\bin\dlv.exe`, 'exec', 'server'],
  ])('knows %s %s', (command, ...args) => {
    expect(isDebugged(command, ...args)).toBe(true);
  });

  it('does not take an option of the server for one of the debugger', () => {
    expect(isDebugged('node', 'server.js', '--inspector', 'dlv-notes')).toBe(false);
  });
});
