import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadNativePart, nativePartPath } from '../../../electron/core/store/native-part.ts';

const projectRoot = join(import.meta.dirname, '../../..');
const linux = { platform: 'linux', arch: 'arm64' };

describe('the native part of SQLite', () => {
  it('lies beside the archive of a package, in a folder for its system', () => {
    const resources = join('/opt', 'panel', 'resources');
    expect(nativePartPath(join(resources, 'app.asar', 'out'), linux)).toBe(
      join(resources, 'sqlite', 'linux_arm64', 'sqlite.node'),
    );
  });

  it('is that of the installed modules in a checkout, and no folder outside of it is looked into', () => {
    const path = nativePartPath(join(projectRoot, 'out'), linux);
    expect(path.startsWith(join(projectRoot, 'node_modules'))).toBe(true);
    expect(existsSync(path)).toBe(true);
  });

  it('is there for every system that packages are made for', () => {
    const systems = ['linux', 'darwin', 'win32'].flatMap((platform) =>
      ['x64', 'arm64'].map((arch) => ({ platform, arch })),
    );
    const bundle = join(projectRoot, 'out');
    expect(systems.filter((system) => !existsSync(nativePartPath(bundle, system)))).toEqual([]);
  });

  it('opens databases on this system', () => {
    expect(loadNativePart(join(projectRoot, 'out'))).toHaveProperty('DatabaseSync');
  });
});
