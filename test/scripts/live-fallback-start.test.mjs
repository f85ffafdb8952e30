import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fallbackFolder, isFallbackPlatform } from '../../scripts/lib/electron-fallback.mjs';
import { writeElectron } from '../fixtures/launcher/programs.mjs';
import { FakeCheckout } from './fake-checkout.mjs';

/** @type {FakeCheckout} */
let checkout;
beforeEach(async () => {
  checkout = new FakeCheckout();
  await checkout.openDisplay();
});
afterEach(() => checkout.dispose());

const env = () => ({ XDG_CACHE_HOME: join(checkout.base, 'cache'), FAKE_NO_DOWNLOAD: '1' });

describe.skipIf(!isFallbackPlatform())('npm start where Electron cannot be downloaded', () => {
  it('explains the other Electron in one line, and not again at the next start', async () => {
    writeElectron(fallbackFolder(env()));
    const first = checkout.start(env());
    await checkout.traced('app runs');
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    const told = first.output.split('\n').filter((line) => line.includes('25.1.1'));
    expect(told).toEqual([
      expect.stringMatching(/cannot be downloaded from here \(fetch failed\), so .* nothing to do/),
    ]);
    const second = checkout.start(env());
    await checkout.traced('app runs', 2);
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
    expect(second.output).not.toMatch(/Electron|download/);
  });

  it('remembers no refusal where there is no network at all', async () => {
    const run = checkout.start(env());
    expect(await run.ended).toBe(1);
    expect(run.output).toContain('the package registry cannot be reached (EAI_AGAIN)');
    expect(checkout.has('.cache', 'electron-refusal.json')).toBe(false);
  });
});
