import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withProgress } from '../../scripts/lib/progress.mjs';
import { sharedFolder } from '../support/temp-folder.ts';

const folder = sharedFolder('progress-test-');
let lines = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  lines = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(text.trimEnd()) > 0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('withProgress', () => {
  it('says what goes on, for how long and how far, until it is over', async () => {
    let finish = () => {};
    const task = () => new Promise((resolve) => (finish = resolve));
    const over = withProgress('installing', task, { folders: [folder], hint: 'once' });
    vi.advanceTimersByTime(12_000);
    writeFileSync(join(folder, 'a'), Buffer.alloc(2_000_000));
    vi.advanceTimersByTime(12_000);
    finish('done');
    expect(await over).toBe('done');
    vi.advanceTimersByTime(60_000);
    expect(lines).toEqual([
      'mcp-control-panel: installing: once',
      'mcp-control-panel: installing, 12 s',
      'mcp-control-panel: installing, 24 s, 2 MB so far',
    ]);
  });

  it('falls silent when the task fails', async () => {
    await expect(withProgress('building', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    vi.advanceTimersByTime(60_000);
    expect(lines).toEqual(['mcp-control-panel: building']);
  });
});
