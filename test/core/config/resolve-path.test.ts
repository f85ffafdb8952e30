import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveFrom } from '../../../electron/core/config/resolve-path.ts';

describe('resolveFrom', () => {
  it.each([
    ['sub/ca.pem', resolve('/base/sub/ca.pem')],
    ['../ca.pem', resolve('/ca.pem')],
    ['/etc/ca.pem', resolve('/etc/ca.pem')],
    ['~/ca.pem', join(homedir(), 'ca.pem')],
    ['~', homedir()],
    ['~other/ca.pem', resolve('/base/~other/ca.pem')],
  ])('makes %s absolute', (written, expected) => {
    expect(resolveFrom('/base', written)).toBe(expected);
  });
});
