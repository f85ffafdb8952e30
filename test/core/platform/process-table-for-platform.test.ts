import { describe, expect, it } from 'vitest';
import { LinuxProcessTable } from '../../../electron/core/platform/linux-process-table.ts';
import {
  processTableForPlatform,
  WindowsProcessTable,
} from '../../../electron/core/platform/process-system.ts';
import { PsProcessTable } from '../../../electron/core/platform/ps-process-table.ts';
import { createFakeClock } from '../fake-clock.ts';

describe('processTableForPlatform', () => {
  it.each([
    ['linux', LinuxProcessTable],
    ['darwin', PsProcessTable],
    ['freebsd', PsProcessTable],
    ['win32', WindowsProcessTable],
  ] as const)('on %s starts nothing before the first question', (platform, expected) => {
    const clock = createFakeClock();
    const table = processTableForPlatform(clock, platform);
    expect(table).toBeInstanceOf(expected);
    table.dispose();
    expect(clock.pending).toBe(0);
  });
});
