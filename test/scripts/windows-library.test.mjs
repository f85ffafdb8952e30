import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../scripts/lib/fetch-package.mjs';
import { lockedPackage } from '../../scripts/lib/package-app.mjs';

const NAME = '@koromix/koffi-win32-x64';

describe('the native library of a package for Windows', () => {
  it.each(['x64', 'arm64'])(
    'is that which the lockfile promises for %s, of one version with koffi',
    (arch) => {
      const { version, integrity } = lockedPackage(`@koromix/koffi-win32-${arch}`);
      expect(version).toBe(lockedPackage('koffi').version);
      expect(integrity).toMatch(/^sha512-/);
    },
  );

  it('is known by its bytes', () => {
    const bytes = Buffer.from('library');
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    expect(integrityOf(bytes)).toBe(integrity);
    expect(integrityOf(Buffer.from('Library'))).not.toBe(integrity);
  });

  it.each(['{}', JSON.stringify({ packages: { [`node_modules/${NAME}`]: { version: '1.0.0' } } })])(
    'is not fetched by a lockfile that promises nothing (%s)',
    (lockfile) => {
      expect(() => lockedPackage(NAME, lockfile)).toThrow(NAME);
    },
  );
});
