import { describe, expect, it } from 'vitest';
import { isProgress } from '../../../../electron/core/supervisor/start/start-gate.ts';

describe('progress of a start', () => {
  // Samples of each second of a cold `npx -y @modelcontextprotocol/server-memory`, and of the server once it
  // waited.
  it.each([
    [true, 'npm reads its configuration', { newProcesses: 0, usedCpuMs: 420, writtenBytes: 10_187 }],
    [true, 'it fetches', { newProcesses: 0, usedCpuMs: 470, writtenBytes: 1_524_945 }],
    [true, 'it computes the tree', { newProcesses: 0, usedCpuMs: 140, writtenBytes: 0 }],
    [
      true,
      'it extracts, and what it uses of the CPU cannot be read',
      { newProcesses: 0, writtenBytes: 28_376 },
    ],
    [true, 'it starts the server', { newProcesses: 2, usedCpuMs: 20, writtenBytes: 0 }],
    [false, 'the server waits', { newProcesses: 0, usedCpuMs: 0, writtenBytes: 0 }],
    [false, 'an event loop wakes up twice', { newProcesses: 0, usedCpuMs: 0, writtenBytes: 16 }],
    [false, 'a busy event loop waits', { newProcesses: 0, usedCpuMs: 30, writtenBytes: 800 }],
    [false, 'nothing can be read of it', { newProcesses: 0 }],
  ])('%s: %s', (expected, _what, facts) => expect(isProgress(facts)).toBe(expected));
});
