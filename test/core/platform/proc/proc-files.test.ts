import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { createProcFiles, isOutOfSight } from '../../../../electron/core/platform/proc/proc-files.ts';
import { onlyOn } from '../../../support/skip-on.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

let root: string;
beforeEach(() => {
  root = tempFolder('proc-files-');
});

describe('createProcFiles', () => {
  it('finds nothing where there is nothing', () => {
    const files = createProcFiles(root);
    const looks = [files.read('1/stat'), files.list('1/fd'), files.link('1/exe'), files.stat('1/fd')];
    expect(looks).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])('takes %s for a process that is out of sight', (code) => {
    expect(isOutOfSight(Object.assign(new Error(code), { code }))).toBe(true);
  });

  it.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'])('takes %s for a failure of the look itself', (code) => {
    expect(isOutOfSight(Object.assign(new Error(code), { code }))).toBe(false);
  });

  it('takes nobody for gone because a look failed otherwise', onlyOn('linux', 'it reads /proc'), () => {
    symlinkSync('loop', join(root, 'loop'));
    const files = createProcFiles(root);
    expect(() => files.read('loop')).toThrow('ELOOP');
    expect(() => files.list('loop')).toThrow('ELOOP');
    expect(() => files.stat('loop')).toThrow('ELOOP');
    expect(files.link('.')).toBeUndefined();
  });
});

const HOST = fileURLToPath(new URL('no-descriptors-host.ts', import.meta.url));

describe('a process table without a free descriptor', onlyOn('linux', 'it reads /proc'), () => {
  it('does not say that a process is gone which lives', async () => {
    const host = ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, HOST];
    const { stdout } = await promisify(execFile)('sh', host);
    expect(JSON.parse(stdout)).toEqual({
      identify: 'EMFILE',
      identifySync: 'EMFILE',
      readTrees: 'EMFILE',
      listDescendants: 'EMFILE',
      findByEnvironment: 'EMFILE',
      readEnvironment: 'EMFILE',
    });
  });
});
