import { describe, expect, it } from 'vitest';
import { holdsPackages } from '../../scripts/lib/install.mjs';

const lock = (packages) => ({ packages });

describe('holdsPackages', () => {
  const wanted = lock({
    '': { version: '0.1.0' },
    'node_modules/react': { version: '19.0.0' },
    'node_modules/binding-mac': { version: '1.0.0', optional: true },
  });

  it('is content without the packages of other platforms', () => {
    expect(holdsPackages(wanted, lock({ 'node_modules/react': { version: '19.0.0' } }))).toBe(true);
  });

  it('is not content with another version, not even of an optional package', () => {
    expect(holdsPackages(wanted, lock({ 'node_modules/react': { version: '18.0.0' } }))).toBe(false);
    const installed = {
      'node_modules/react': { version: '19.0.0' },
      'node_modules/binding-mac': { version: '0.9.0' },
    };
    expect(holdsPackages(wanted, lock(installed))).toBe(false);
  });

  it('is not content when something is missing or nothing is known', () => {
    expect(holdsPackages(wanted, lock({}))).toBe(false);
    expect(holdsPackages(wanted, undefined)).toBe(false);
    expect(holdsPackages(undefined, wanted)).toBe(false);
    expect(holdsPackages({}, {})).toBe(false);
  });
});
