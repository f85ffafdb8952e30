import { describe, expect, it, onTestFinished } from 'vitest';
import { nextTurn } from '../../../electron/core/next-turn.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { createLiveBench } from './live-bench.ts';

function live(flags: string[], panel: Record<string, unknown>) {
  const bench = createLiveBench(() => fixtureServer(...flags), { panel });
  onTestFinished(() => bench.dispose());
  return bench;
}

/** Blocks our own loop right before it runs its timers; only after them it reads anything. */
function beAbsent(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      resolve();
    });
  });
}

describe('after an absence of ours, a real server', () => {
  it('has its answer delivered, which had come before the deadline of the call', async () => {
    const bench = live([], { calls: { timeoutMs: 1000, maxTotalMs: 1000 } });
    await bench.supervisor.start();
    const connection = bench.supervisor.connection!;
    const call = connection.request('tools/call', { name: 'sleep', arguments: { ms: 300 } });
    await waitUntil(() => connection.ledger.calls.length > 0, 'the call');
    await beAbsent(3000);
    expect(await call).toMatchObject({ content: [{ text: 'slept for 300 ms' }] });
  });

  it('has a large answer delivered, which takes many turns of the loop to be read', async () => {
    const bench = live([], { calls: { timeoutMs: 1000, maxTotalMs: 1000 } });
    await bench.supervisor.start();
    const connection = bench.supervisor.connection!;
    const call = connection.request('tools/call', { name: 'payload', arguments: { bytes: 1_000_000 } });
    // Turn by turn, because a quick server has answered within a few milliseconds.
    while (connection.ledger.calls.length === 0) await nextTurn();
    await beAbsent(3000);
    expect(JSON.stringify(await call)).toHaveLength(1_000_039);
  });

  it('is not ended in a start of which it had reported all the time', async () => {
    const bench = live(['--slow-initialize-ms=1500', '--stderr-every-ms=50'], { startTimeoutMs: 1000 });
    const started = bench.supervisor.start();
    await waitUntil(() => bench.supervisor.view().pid, 'the process');
    await beAbsent(3000);
    await started;
    expect(bench.events.map(({ kind }) => kind)).toEqual(['started']);
  });
});
