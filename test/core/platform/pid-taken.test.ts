import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { isPidTaken } from '../../../electron/core/platform/signals.ts';

it('tells a pid that some process has from one that nobody has any more', () => {
  const gone = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
  expect([isPidTaken(process.pid), isPidTaken(process.ppid), isPidTaken(gone)]).toEqual([true, true, false]);
});
