import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../../electron/core/platform/find-program.ts';
import { skipOn } from '../../support/skip-on.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const base = sharedFolder('find-program-');

function put(path: string, mode: number): string {
  const file = join(base, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

describe('findProgram', skipOn('win32', 'Windows has no mode bits'), () => {
  const first = put('first/tool', 0o755);
  const second = put('second/tool', 0o755);
  put('plain/tool', 0o644);
  mkdirSync(join(base, 'folders/tool'), { recursive: true });
  const pathOf = (...names: string[]) => names.map((name) => join(base, name)).join(':');

  it.each([
    ['takes the first on the PATH', 'tool', pathOf('none', 'first', 'second'), { file: first }],
    ['passes over what may not be run', 'tool', pathOf('plain', 'folders', 'second'), { file: second }],
    ['tells that there is one that may not be run', 'tool', pathOf('none', 'plain'), { code: 'EACCES' }],
    ['tells that there is none', 'tool', pathOf('none'), { code: 'ENOENT' }],
    ['takes a relative folder for one below its own', 'tool', 'first', { file: first }],
    ['takes an empty folder for its own', './first/tool', '', { file: first }],
    ['takes a path for a path', 'second/tool', pathOf('first'), { file: second }],
    ['takes an absolute path for itself', second, '', { file: second }],
    ['does not run a folder', './folders/tool', '', { code: 'EACCES' }],
  ])('%s', async (_, command, path, found) => {
    expect(await findProgram({ command, path, cwd: base })).toEqual(found);
  });

  it('looks where the system does when there is no PATH', async () => {
    expect(await findProgram({ command: 'sh', path: undefined })).toEqual({ file: '/bin/sh' });
  });
});
