import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCheckout, isRunning, until } from './fake-checkout.mjs';

const isRoot = process.getuid?.() === 0;
const FOR_EVER_MS = '600000';

/** @type {FakeCheckout} */
let checkout;
beforeEach(async () => {
  checkout = new FakeCheckout();
  await checkout.openDisplay();
});
afterEach(() => checkout.dispose());

/** Starts the panel again, to the running app, and quits it. */
async function startsAgain() {
  const run = checkout.start();
  const [app] = await checkout.traced('app runs');
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(0);
  expect(isRunning(app)).toBe(false);
}

describe.skipIf(process.platform === 'win32')('Ctrl-C while npm start prepares', () => {
  it.each([
    ['install', 'install.lock'],
    ['download', 'electron.lock'],
    ['build', 'build.lock'],
  ])('ends the %s with its children before it ends itself, and the next start works', async (step, lock) => {
    const run = checkout.start({ FAKE_HANG: step });
    const pids = await checkout.traced(`${step} hangs`);
    run.child.kill('SIGINT');
    // The next start waits because the lock is there for as long as anything of the step is.
    let wasFreeTooSoon = false;
    await until(
      () => {
        const isFree = !existsSync(join(checkout.path, '.cache', lock));
        wasFreeTooSoon ||= isFree && pids.some(isRunning);
        return isFree;
      },
      () => run.output,
    );
    expect(await run.ended).toBe(130);
    expect(wasFreeTooSoon).toBe(false);
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(run.output).toContain('nothing is left running');
    await startsAgain();
  });

  it('kills at the second Ctrl-C what does not end', async () => {
    const run = checkout.start({ FAKE_HANG: 'build', FAKE_DEAF_MS: FOR_EVER_MS });
    const pids = await checkout.traced('build hangs');
    run.child.kill('SIGINT');
    await until(
      () => run.output.includes('Ctrl-C again'),
      () => run.output,
    );
    expect(pids.map(isRunning)).toEqual([true, true]);
    // Nobody presses it once all is gone: it would meet the last moment of a process that listens no more.
    const again = setInterval(() => pids.some(isRunning) && run.child.kill('SIGINT'), 100);
    expect(await run.ended.finally(() => clearInterval(again))).toBe(130);
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  it.skipIf(!isRoot)('lets apt-get come to its end, told once', async () => {
    const run = checkout.start({ FAKE_LDD: 'libnss3.so => not found' });
    const [apt] = await checkout.traced('apt-get hangs');
    run.child.kill('SIGINT');
    await checkout.traced('apt-get SIGINT');
    run.child.kill('SIGTERM');
    run.child.kill('SIGHUP');
    await until(
      () => run.output.includes('half-configured'),
      () => run.output,
    );
    expect([isRunning(apt), run.child.exitCode]).toEqual([true, null]);
    checkout.letAptEnd();
    expect(await run.ended).toBe(130);
    const told = checkout.trace.filter((line) => line.startsWith('apt-get') && !line.includes('hangs'));
    expect(told).toEqual(['apt-get SIGINT', 'apt-get ended']);
    await startsAgain();
  });

  it('ends at once where nothing runs but a wait for another start', async () => {
    const first = checkout.start({ FAKE_HANG: 'install' });
    await checkout.traced('install hangs');
    const second = checkout.start();
    await until(
      () => second.output.includes('waiting for process'),
      () => second.output,
    );
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(130);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(130);
  });
});

describe.skipIf(process.platform === 'win32')('Ctrl-C while the app runs', () => {
  it('is passed on once, waits for the app, and is exit code 0', async () => {
    const run = checkout.start();
    await checkout.traced('app runs');
    run.child.kill('SIGINT');
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    expect(checkout.trace.filter((line) => /^app (INT|quits)/.test(line))).toEqual(['app INT', 'app quits']);
  });
});

describe.skipIf(process.platform === 'win32')('an install over what a cut-short one left', () => {
  it('begins afresh when npm trips over it, and leaves nothing of it', async () => {
    mkdirSync(join(checkout.path, 'node_modules'));
    writeFileSync(join(checkout.path, 'node_modules', 'half-made'), '');
    const run = checkout.start({ FAKE_LEFTOVER: '1' });
    await checkout.traced('app runs');
    expect(checkout.trace.slice(0, 2)).toEqual(['npm ci fails', 'install']);
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    expect(checkout.has('.cache', `removed-${run.child.pid}`)).toBe(false);
  });
});
