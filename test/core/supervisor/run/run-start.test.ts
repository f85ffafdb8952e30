import { describe, expect, it } from 'vitest';
import { RunStart } from '../../../../electron/core/supervisor/run/run-start.ts';
import type { Run, RunHooks } from '../../../../electron/core/supervisor/run/run.ts';
import { StartGate } from '../../../../electron/core/supervisor/start/start-gate.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeRun } from '../fake-run.ts';
import { testConfig } from '../supervisor-bench.ts';

const noHooks = {} as RunHooks;

function startOf(createRun: () => Run | Promise<Run>) {
  const clock = createFakeClock();
  const startGate = new StartGate({ clock, startConcurrency: 1 });
  const told: string[] = [];
  const start = new RunStart(testConfig(), {
    startGate,
    purpose: 'automatic',
    cleared: Promise.resolve(),
    createRun,
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
});
