import { describe, expect, it } from 'vitest';
import {
  HistoryRecorder,
  type HistoryRecorderOptions,
} from '../../../electron/core/store/history-recorder.ts';
import type { RecordedCall, ServerSample } from '../../../electron/core/store/pending-batch.ts';
import { createFakeClock } from '../fake-clock.ts';
import { remoteConfig, stdioConfig } from '../sessions/fake-servers.ts';

const START = 1_800_000_000_000;

function bench() {
  const clock = createFakeClock(START);
  const ticks: { readonly at: number; readonly samples: readonly ServerSample[] }[] = [];
  const calls: RecordedCall[] = [];
  const limits: unknown[] = [];
  const sink: HistoryRecorderOptions['sink'] = {
    tick: (at, samples) => ticks.push({ at, samples }),
    callEnded: (call) => calls.push(call),
    audited: () => undefined,
    limits: (given) => limits.push(given),
  };
  const recorder = new HistoryRecorder({ clock, wallClock: clock, sink });
  return { clock, ticks, calls, limits, recorder };
}

const sample = (at: number, memoryBytes = 1) => ({ at, memoryBytes, processCount: 1 });

describe('HistoryRecorder', () => {
  it('hands over one tick per look, with all servers in it, and none where there was nothing to see', () => {
    const { clock, ticks, recorder } = bench();
    recorder.sampled('one', sample(START));
    recorder.sampled('two', sample(START, 2));
    clock.tick(30);
    recorder.lookDone();
    recorder.lookDone();
    expect(ticks).toEqual([
      {
        at: START,
        samples: [
          { server: 'one', sample: sample(START) },
          { server: 'two', sample: sample(START, 2) },
        ],
      },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('hands answers of remote servers over within a second, where nobody looks at processes', async () => {
    const { clock, ticks, recorder } = bench();
    recorder.sampled('remote', { at: START, rttMs: 5, processCount: 0 });
    await clock.advance(400);
    recorder.sampled('remote', { at: START + 400, rttMs: 6, processCount: 0 });
    recorder.sampled('other', { at: START + 400, rttMs: 7, processCount: 0 });
    expect(ticks).toEqual([]);
    await clock.advance(600);
    expect(ticks).toMatchObject([
      { at: START + 400, samples: [{ sample: { rttMs: 6 } }, { server: 'other' }] },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('hands over what waits when it is disposed of, and leaves no timer', () => {
    const { clock, ticks, recorder } = bench();
    recorder.sampled('one', sample(START));
    recorder.dispose();
    expect(ticks).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('dates calls, and names the client only where there is one', () => {
    const { calls, recorder } = bench();
    recorder.callEnded('one', { outcome: 'result', durationMs: 5 });
    recorder.callEnded('one', { outcome: 'timeout', durationMs: 9 }, 'client-1');
    expect(calls).toEqual([
      { at: START, server: 'one', outcome: 'result', durationMs: 5 },
      { at: START, server: 'one', outcome: 'timeout', durationMs: 9, client: 'client-1' },
    ]);
  });

  it('tells the limits of every server with processes', () => {
    const { limits, recorder } = bench();
    const { panel } = stdioConfig('one');
    const wished = { ...panel, limits: { ...panel.limits, maxMemoryMiB: 7 } };
    recorder.configured([stdioConfig('one', { panel: wished }), remoteConfig('http://127.0.0.1:1')]);
    expect(limits).toEqual([
      { server: 'one', from: START, maxMemoryMiB: 7, maxCpuPercent: 80, maxOpenFiles: 1000 },
    ]);
  });
});
