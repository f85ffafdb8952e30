import { describe, expect, it } from 'vitest';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import { createDeferred, type Deferred } from '../../../../electron/core/deferred.ts';
import { CallLedger } from '../../../../electron/core/mcp/call-ledger.ts';
import { LivenessMonitor } from '../../../../electron/core/supervisor/liveness/liveness-monitor.ts';
import { nothingObserved } from '../../../../electron/core/supervisor/liveness/probe-book.ts';
import { createFakeClock } from '../../fake-clock.ts';

/** Monitor whose probes the test answers by hand. */
function bench() {
  const clock = createFakeClock();
  const asked: { readonly sentAtMs: number; readonly answer: Deferred<number> }[] = [];
  const connection = {
    ledger: new CallLedger(),
    lastActivityAtMs: 0,
    lastAnswerAtMs: 0,
    probe: () => {
      const answer = createDeferred<number>();
      asked.push({ sentAtMs: clock.now(), answer });
      return answer.promise;
    },
    logLevel: { want: () => () => undefined },
  };
  const monitor = new LivenessMonitor({
    clock,
    random: () => 0.5,
    connection,
    learnt: nothingObserved(),
    canLog: false,
    seesTree: false,
    holdsCalls: true,
    settings: () => panelSettingsSchema.parse({ health: { probeIntervalMs: 1000 } }),
    onVerdict: () => undefined,
  });
  const answer = async (afterMs: number) => {
    await clock.advance(afterMs);
    connection.lastActivityAtMs = clock.now();
    const last = asked.at(-1)!;
    last.answer.resolve(clock.now() - last.sentAtMs);
    await clock.advance(0);
  };
  return { clock, asked, monitor, answer };
}

describe('LivenessMonitor: the round trip of probes', () => {
  it('is kept as evidence', async () => {
    const { clock, monitor, answer } = bench();
    expect(monitor.evidence().rttMs).toBeUndefined();
    await answer(40);
    expect(monitor.evidence().rttMs).toBe(40);
    await clock.advance(6500); // Six intervals of silence after the answer, and up to a tick.
    const sentAgoMs = monitor.evidence().probes[0]!.unansweredMs;
    await answer(70);
    expect(monitor.evidence().rttMs).toBe(70 + sentAgoMs);
    monitor.dispose();
    expect(clock.pending).toBe(0);
  });

  it('is none of a probe that failed', async () => {
    const { clock, asked, monitor, answer } = bench();
    asked[0]!.answer.reject(new Error('the connection is lost'));
    await clock.advance(0);
    expect(monitor.evidence().rttMs).toBeUndefined();
    await clock.advance(6000);
    expect(asked.length).toBeGreaterThan(1);
    await answer(5);
    expect(monitor.evidence().rttMs).toBeDefined();
    monitor.dispose();
  });
});
