import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { withDirectoryLock } from '../../scripts/lib/directory-lock.mjs';
import { tempFolder } from '../support/temp-folder.ts';

/** Pid above every one that a system hands out. */
const DEAD_PID = 2 ** 22 + 1;

let base = '';
let path = '';
beforeEach(() => {
  base = tempFolder('lock-test-');
  path = join(base, 'deep', 'a.lock');
});

describe('withDirectoryLock', () => {
  it('holds the lock during the task, returns its result and leaves nothing behind', async () => {
    const result = await withDirectoryLock(path, 'testing', async () => existsSync(path) && 'held');
    expect(result).toBe('held');
    expect(readdirSync(join(base, 'deep'))).toEqual([]);
  });

  it('frees the lock when the task fails', async () => {
    await expect(withDirectoryLock(path, 'testing', () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(existsSync(path)).toBe(false);
  });

  it('takes over the lock of a process that is gone', async () => {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'owner'), String(DEAD_PID));
    expect(await withDirectoryLock(path, 'testing', async () => 1)).toBe(1);
    expect(readdirSync(join(base, 'deep'))).toEqual([]);
  });

  it('waits for a process that lives', async () => {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'owner'), String(process.ppid));
    let hasRun = false;
    const waiting = withDirectoryLock(path, 'testing', async () => void (hasRun = true));
    expect(hasRun).toBe(false);
    rmSync(path, { recursive: true });
    await waiting;
    expect(hasRun).toBe(true);
  });
});
