import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import {
  RunStart,
  type ResolveConfig,
  type RunStartOptions,
} from '../../../../electron/core/supervisor/run/run-start.ts';
import type { RunHooks } from '../../../../electron/core/supervisor/run/run.ts';
import { StartGate } from '../../../../electron/core/supervisor/start/start-gate.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeRun } from '../fake-run.ts';
import { testConfig } from '../supervisor-bench.ts';

const noHooks = {} as RunHooks;

function startOf(createRun: RunStartOptions['createRun'], resolveConfig?: ResolveConfig) {
  const clock = createFakeClock();
  const startGate = new StartGate({ clock, startConcurrency: 1 });
  const told: string[] = [];
  const start = new RunStart(testConfig(), {
    startGate,
    purpose: 'automatic',
    cleared: Promise.resolve(),
    createRun,
    resolveConfig,
    onReason: (_, hasCome) => hasCome && told.push('turn'),
    onRun: () => told.push('run'),
    onUp: () => told.push('up'),
    onFailed: ({ code, message }) => told.push(`${code}: ${message}`),
  });
  return { start, startGate, told, settle: () => clock.advance(0) };
}

describe('RunStart', () => {
  it('fails with a code, whatever is thrown', async () => {
    const { start, startGate, told } = startOf(() => Promise.reject(new Error('no code of runs')));
    await start.begin();
    expect(told).toEqual(['turn', 'START_FAILED: no code of runs']);
    expect(startGate.size).toBe(0);
  });

  it('keeps its place at the gate, disposed, until its launch is over, since that may still install', async () => {
    const run = new FakeRun(1, noHooks);
    const { start, startGate, told, settle } = startOf(() => run);
    const over = start.begin();
    await settle();
    start.dispose();
    await settle();
    expect(startGate.size).toBe(1);
    run.failToStart();
    await over;
    expect(startGate.size).toBe(0);
    expect(told).toEqual(['turn', 'run']);
  });

  it('holds no place at the gate while it waits for a secret, says so, and runs what was resolved', async () => {
    const resolved = createDeferred<ServerConfig>();
    const ran: ServerConfig[] = [];
    const { start, startGate, settle } = startOf(
      (config) => {
        ran.push(config);
        return new FakeRun(1, noHooks);
      },
      (_config, _signal, onWait) => {
        onWait?.('waits for the keyring');
        return resolved.promise;
      },
    );
    void start.begin();
    await settle();
    expect([startGate.size, start.reason]).toEqual([0, 'waits for the keyring']);
    resolved.resolve(testConfig({}, { command: 'with-secret' }));
    await settle();
    expect(ran).toMatchObject([{ command: 'with-secret' }]);
    expect(start.reason).toBeUndefined();
  });

  it('fails without a run where nobody agreed to what it would run', async () => {
    const refuse = () => {
      throw new PanelError('CONSENT_REQUIRED', 'not agreed');
    };
    const { start, startGate, told } = startOf(() => new FakeRun(1, noHooks), refuse);
    await start.begin();
    expect(told).toEqual(['CONSENT_REQUIRED: not agreed']);
    expect(startGate.size).toBe(0);
  });
});
