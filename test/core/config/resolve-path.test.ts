import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveFrom } from '../../../electron/core/config/resolve-path.ts';

describe('resolveFrom', () => {
  it.each([
    ['sub/ca.pem', '/base/sub/ca.pem'],
    ['../ca.pem', '/ca.pem'],
    ['/etc/ca.pem', '/etc/ca.pem'],
    ['~/ca.pem', join(homedir(), 'ca.pem')],
    ['~', homedir()],
    ['~other/ca.pem', '/base/~other/ca.pem'],
  ])('makes %s absolute', (written, expected) => {
    expect(resolveFrom('/base', written)).toBe(expected);
  });
});
