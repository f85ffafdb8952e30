import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHROMIUM_VARIABLE, findChromium } from '../../scripts/lib/find-chromium.mjs';

/** @param {string[]} programs */
const machine = (programs, env = {}, platform = /** @type {NodeJS.Platform} */ ('linux')) => ({
  platform,
  env,
  isProgram: (/** @type {string} */ path) => programs.includes(path),
});

describe('the browser that the page is tested in', () => {
  it('is the one that is named, before any that is found', () => {
    const env = { [CHROMIUM_VARIABLE]: '/opt/browser', PATH: '/usr/bin' };
    expect(findChromium(machine(['/opt/browser', join('/usr/bin', 'chromium')], env))).toBe('/opt/browser');
  });

  it('is refused when the name leads nowhere, instead of testing in another one', () => {
    const env = { [CHROMIUM_VARIABLE]: '/opt/browser', PATH: '/usr/bin' };
    expect(() => findChromium(machine([join('/usr/bin', 'chromium')], env))).toThrow(/"\/opt\/browser"/);
  });

  it.each([
    ['linux', { PATH: '/usr/bin' }, join('/usr/bin', 'google-chrome')],
    ['darwin', {}, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    ['win32', { ProgramFiles: 'C:' }, join('C:', 'Microsoft', 'Edge', 'Application', 'msedge.exe')],
  ])(
    'is found on %s where browsers are installed, and is none where there is none',
    (platform, env, path) => {
      const system = /** @type {NodeJS.Platform} */ (platform);
      expect(findChromium(machine([path], env, system))).toBe(path);
      expect(findChromium(machine([], env, system))).toBeUndefined();
    },
  );
});
