import { describe, expect, it, onTestFinished } from 'vitest';
import { fixtureServer, fixtureWrapper, waitUntil, type CommandLine } from '../../fixtures/fixture-server.ts';
import { createLiveBench, type LiveOptions } from './live-bench.ts';
import { skipOn } from '../../support/skip-on.ts';
import { isAlive } from '../../support/proc.ts';

function live(
  flags: string[],
  options: LiveOptions = {},
  build: (...flags: string[]) => CommandLine = fixtureServer,
) {
  const bench = createLiveBench((pidFile) => build(...flags, `--pid-file=${pidFile}`), options);
  onTestFinished(() => bench.dispose());
  return bench;
}

const outputEnds = skipOn(
  'wine',
  'wine keeps the output of a process without a window open until the process ends; unproven on Windows',
);
const quick = { stopGraceMs: 300, killGraceMs: 300 };

describe('stopping a real server', () => {
  it('ends it by the end of its input, without a signal', async () => {
    const bench = live([]);
    await bench.supervisor.start();
    await bench.supervisor.stop();
    expect(bench.recorded().filter(isAlive)).toEqual([]);
    expect(bench.events.map((event) => event.kind)).toEqual(['started', 'stopped']);
  });

  it('kills one that ignores the end of input and SIGTERM, within its graces', async () => {
    const bench = live(['--ignore-eof', '--ignore-sigterm'], { panel: quick });
    await bench.supervisor.start();
    await bench.supervisor.stop();
    expect(bench.recorded().filter(isAlive)).toEqual([]);
    expect(bench.events.map((event) => event.kind)).toContain('force-killed');
  });

  it.each([
    ['a wrapper that waits', ['--shell'], fixtureWrapper],
    ['a grandchild that holds stdout', ['--grandchild', '--grandchild-holds-stdout'], fixtureServer],
    ['a detached grandchild in a session of its own', ['--detached-grandchild'], fixtureServer],
    [
      'a detached grandchild that ignores SIGTERM',
      ['--detached-grandchild', '--grandchild-ignores-sigterm'],
      fixtureServer,
    ],
  ])('leaves nothing of %s', async (_what, flags, build) => {
    const bench = live(flags, { panel: quick }, build);
    await bench.supervisor.start();
    expect(bench.recorded().length).toBeGreaterThan(1);
    await bench.supervisor.stop();
    expect(bench.recorded().filter(isAlive)).toEqual([]);
  });

  it('sweeps what a wrapper that exits leaves behind', async () => {
    const bench = live(
      ['--exit-and-leave'],
      { panel: { ...quick, restart: { enabled: false } } },
      fixtureWrapper,
    );
    await bench.supervisor.start().catch(() => undefined);
    await bench.reaches('failed');
    await bench.supervisor.stop();
    expect(bench.recorded().filter(isAlive)).toEqual([]);
  });
});

describe('a real server that fails', () => {
  it('rejects pending calls with exit code and stderr at once, and restarts', async () => {
    const bench = live(['--stderr-text=cannot read config'], {
      panel: { restart: { initialBackoffMs: 20 } },
    });
    await bench.supervisor.start();
    const connection = bench.supervisor.connection!;
    const pending = [1, 2, 3].map(() => connection.request('tools/call', { name: 'hang', arguments: {} }));
    const outcomes = Promise.allSettled(pending);
    await connection.request('tools/call', { name: 'crash', arguments: { code: 3 } }).catch(() => undefined);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'CRASHED', data: { exitCode: 3 } },
      });
    }
    expect((await bench.logs('crashed')).detail).toMatchObject({
      exitCode: 3,
      stderrTail: 'cannot read config',
      calls: ['hang', 'hang', 'hang', 'crash'].map((target) => ({
        method: 'tools/call',
        target,
        ageMs: expect.any(Number) as number,
      })),
    });
    await bench.logs('restarted');
    expect(bench.supervisor.view()).toMatchObject({ generation: 2, restartAttempt: 1 });
  });

  it('names the signal that ended it', async () => {
    const bench = live([], { panel: { restart: { initialBackoffMs: 20 } } });
    await bench.supervisor.start();
    process.kill(bench.supervisor.view().pid!, 'SIGKILL');
    // Windows keeps no signal, only the exit code that its taskkill gives.
    const ended = process.platform === 'win32' ? { exitCode: 1 } : { signal: 'SIGKILL' };
    expect((await bench.logs('crashed')).detail).toMatchObject({ ...ended, code: 'CRASHED' });
    await bench.logs('restarted');
  });

  const exitsUnread =
    process.platform === 'win32'
      ? {
          command: process.execPath,
          args: ['-e', 'require("fs").closeSync(0); console.error("no config"); process.exitCode = 5;'],
        }
      : { command: 'sh', args: ['-c', 'exec 0<&-; echo no config >&2; exit 5'] };

  it('names its exit, not the pipe that broke, also when it exits before reading anything', async () => {
    for (let round = 0; round < 10; round += 1) {
      const panel = { restart: { enabled: false } };
      const bench = createLiveBench(() => exitsUnread, { panel });
      onTestFinished(() => bench.dispose());
      await expect(bench.supervisor.start()).rejects.toMatchObject({
        code: 'START_FAILED',
        data: { exitCode: 5, stderrTail: 'no config' },
      });
    }
  });

  it('is not given more time for the few bytes that a process writes while it waits', async () => {
    const waits = `const { openSync, writeSync } = require('node:fs');
      const waker = openSync(require('node:os').devNull, 'w');
      setInterval(() => writeSync(waker, '8 bytes.'), 250);`;
    const bench = createLiveBench(() => ({ command: process.execPath, args: ['-e', waits] }), {
      panel: { ...quick, startTimeoutMs: 3000, startMaxMs: 15_000, restart: { enabled: false } },
    });
    onTestFinished(() => bench.dispose());
    await expect(bench.supervisor.start()).rejects.toMatchObject({
      code: 'START_TIMEOUT',
      data: { setting: 'startTimeoutMs' },
    });
  });

  it('tells the cause first, in the state and in the events, when it throws before its handshake', async () => {
    const throws = `throw new Error('HubSpot access token is required. Set PRIVATE_APP_ACCESS_TOKEN.')`;
    const bench = createLiveBench(() => ({ command: process.execPath, args: ['-e', throws] }), {
      panel: { restart: { enabled: false } },
    });
    onTestFinished(() => bench.dispose());
    const cause = 'Error: HubSpot access token is required. Set PRIVATE_APP_ACCESS_TOKEN.';
    const expected = {
      code: 'START_FAILED',
      message: `${cause} (exited with code 1 before its handshake)`,
      remedy: "Set PRIVATE_APP_ACCESS_TOKEN in the server's environment.",
    };
    await expect(bench.supervisor.start()).rejects.toMatchObject({
      ...expected,
      data: { cause, exitCode: 1 },
    });
    expect(bench.supervisor.view()).toMatchObject({
      state: { reason: expected.message },
      lastError: { ...expected, causeLines: [cause], fix: { kind: 'set-variable' } },
    });
    expect((await bench.logs('start-failed')).detail).toMatchObject({ ...expected, cause });
  });

  it('is ended when it closes its output and stays alive', outputEnds, async () => {
    const bench = live(['--close-stdout', '--ignore-eof'], {
      panel: { ...quick, restart: { enabled: false } },
    });
    await bench.supervisor.start();
    expect((await bench.logs('crashed')).detail).toMatchObject({ eof: true });
    await waitUntil(() => !bench.recorded().some(isAlive), 'the server is gone');
  });
});

describe('a real server that talks rubbish', () => {
  it.each([
    ['garbage between its frames', ['--stdout-garbage']],
    ['one byte at a time', ['--split-writes']],
    ['every answer twice', ['--duplicate-responses']],
    ['answers to nobody', ['--unknown-ids']],
    ['a line over the limit', [`--huge-line-bytes=${20 * 1024 * 1024}`]],
  ])('is understood through %s', async (what, flags) => {
    const bench = live(flags);
    await bench.supervisor.start();
    const text = 'grüße · 你好';
    for (let call = 0; call < 3; call += 1) {
      const result = await bench.supervisor.connection!.request('tools/call', {
        name: 'echo',
        arguments: { text },
      });
      expect(JSON.stringify(result)).toContain(text);
    }
    if (what !== 'one byte at a time') await bench.logs('protocol-noise');
    expect(bench.supervisor.stateKind).toBe('running');
  });
});
