import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { processTableForPlatform } from '../../../electron/core/platform/process-system.ts';
import { parseDetails } from '../../../electron/core/platform/ps-process-table.ts';
import { skipOn } from '../../support/skip-on.ts';

describe('details of a process', () => {
  it('are its whole command line and its start', skipOn('win32', 'Windows has no ps'), async () => {
    const table = processTableForPlatform();
    const args = ['-e', 'setInterval(() => {}, 1000)', 'some argument'];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    try {
      await once(child, 'spawn');
      const found = await table.identify(child.pid!);
      const details = (await table.describe!([found!])).get(child.pid!);
      expect(details?.commandLine).toContain('some argument');
      expect(Math.abs(Date.now() - details!.startedAtMs!)).toBeLessThan(60_000);
    } finally {
      child.kill('SIGKILL');
      table.dispose();
    }
  });

  it('are read from a listing of ps for the processes that were asked for', () => {
    const startTime = 'Mon Nov 23 10:00:00 2026';
    const output = '  10 node /opt/server.js --a  b \n 11 other\n   12 \n';
    expect(
      parseDetails(output, [
        { pid: 10, startTime },
        { pid: 12, startTime },
      ]),
    ).toEqual(
      new Map([[10, { commandLine: 'node /opt/server.js --a  b', startedAtMs: Date.parse(startTime) }]]),
    );
  });
});
