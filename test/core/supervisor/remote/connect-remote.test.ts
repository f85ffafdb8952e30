import { describe, expect, it } from 'vitest';
import { PanelError, type ErrorCode } from '../../../../shared/error-codes.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import { serverKey } from '../../../../electron/core/config/server-key.ts';
import { connectRemote } from '../../../../electron/core/supervisor/remote/connect-remote.ts';
import {
  TransportPreferences,
  type RemoteTransportKind,
} from '../../../../electron/core/supervisor/remote/transport-preferences.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { remoteConfig } from './remote-bench.ts';

const URL = 'http://127.0.0.1:9/mcp';

const refused = (status: number) => new PanelError('PROTOCOL_ERROR', `HTTP ${status}`, { data: { status } });
const trouble = (data: Record<string, unknown> = {}) => new PanelError('UNREACHABLE', 'reset', { data });
const failure = (code: ErrorCode) => new PanelError(code, code);

interface Plan {
  readonly config?: RemoteServerConfig;
  readonly learned?: RemoteTransportKind;
  readonly startMaxMs?: number;
  readonly random?: number;
  /** Outcome of each attempt, in order; undefined succeeds. */
  readonly http?: readonly (PanelError | undefined)[];
  readonly sse?: readonly (PanelError | undefined)[];
}

/** Connects on a fake clock; attempts take no time. */
function bench(plan: Plan) {
  const clock = createFakeClock();
  const config = plan.config ?? remoteConfig(URL);
  const preferences = new TransportPreferences(clock);
  if (plan.learned) preferences.learn(serverKey(config), plan.learned);
  const left = { http: [...(plan.http ?? [])], sse: [...(plan.sse ?? [])] };
  const attempts: string[] = [];
  const progress: number[] = [];
  const abort = new AbortController();
  const connecting = connectRemote({
    config,
    clock,
    random: () => plan.random ?? 0,
    preferences,
    attempt: async (kind) => {
      attempts.push(`${kind} @${clock.now()}`);
      if (left[kind].length === 0) throw new Error(`no plan for this attempt over ${kind}`);
      const error = left[kind].shift();
      if (error) throw error;
    },
    leftMs: () => (plan.startMaxMs ?? 600_000) - clock.now(),
    onProgress: () => progress.push(clock.now()),
    signal: abort.signal,
  });
  const outcome = connecting.then(
    () => 'connected' as const,
    (error: unknown) => error as PanelError,
  );
  const after = async (ms: number) => {
    await clock.advance(ms);
    return {
      attempts,
      outcome: await outcome,
      first: preferences.first(serverKey(config)),
      pending: clock.pending,
    };
  };
  return { after, clock, attempts, progress, abort, outcome };
}

const LONG = 10_000;

describe('connectRemote', () => {
  it.each([
    ['another client error', refused(410)],
    ['a refused certificate', trouble({ isRepeatable: false })],
  ])('neither falls back on %s nor tries it again', async (_what, error) => {
    const { attempts, outcome } = await bench({ http: [error] }).after(LONG);
    expect(attempts).toEqual(['http @0']);
    expect(outcome).toBe(error);
  });

  it('falls back when the older transport shows after passing trouble', async () => {
    const { after } = bench({ http: [trouble(), refused(405)], sse: [undefined] });
    expect((await after(LONG)).attempts).toEqual(['http @0', 'http @250', 'sse @250']);
  });

  it.each([
    [0, ['http @0', 'http @250', 'http @750']],
    [0.5, ['http @0', 'http @375', 'http @1125']],
  ])('backs off between half and all of 500 ms × 2ⁿ (random %d)', async (random, expected) => {
    const { after } = bench({ http: [trouble(), trouble(), undefined], random });
    expect(await after(LONG)).toMatchObject({ attempts: expected, outcome: 'connected', pending: 0 });
  });

  it('waits as long as the server asks, and at least its own backoff', async () => {
    const http = [
      trouble({ status: 429, retryAfterMs: 90_000 }),
      trouble({ status: 503, retryAfterMs: 1 }),
      undefined,
    ];
    const { after } = bench({ http });
    expect((await after(100_000)).attempts).toEqual(['http @0', 'http @90000', 'http @90500']);
  });

  it('does not wait beyond the time for the whole start', async () => {
    const error = trouble({ status: 429, retryAfterMs: 90_000 });
    const { after } = bench({ http: [error], startMaxMs: 60_000 });
    expect(await after(0)).toMatchObject({ attempts: ['http @0'], outcome: error, pending: 0 });
  });

  it('shows progress all through a wait', async () => {
    const { after, progress } = bench({ http: [trouble({ retryAfterMs: 10_000 }), undefined] });
    await after(LONG);
    const gaps = progress.slice(1).map((at, index) => at - progress[index]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(500);
  });

  it('ends a wait at once when it is called off, and attempts nothing more', async () => {
    const error = trouble({ retryAfterMs: 60_000 });
    const { after, clock, abort } = bench({ http: [error], learned: 'http' });
    await clock.advance(1000);
    abort.abort();
    expect(await after(0)).toMatchObject({ attempts: ['http @0'], outcome: error, pending: 0 });
  });

  it('goes straight to SSE for an entry of that type, and nowhere else', async () => {
    const config = remoteConfig(URL, {}, { transport: 'sse' });
    expect((await bench({ config, sse: [undefined] }).after(0)).attempts).toEqual(['sse @0']);
    const { attempts, outcome } = await bench({ config, sse: [refused(405)] }).after(0);
    expect(attempts).toEqual(['sse @0']);
    expect(outcome).toMatchObject({ message: 'HTTP 405' });
    expect((await bench({ config, sse: [trouble(), trouble(), undefined] }).after(LONG)).outcome).toBe(
      'connected',
    );
  });

  it('begins with SSE where it was learned', async () => {
    const { after } = bench({ learned: 'sse', sse: [undefined] });
    expect(await after(0)).toMatchObject({ attempts: ['sse @0'], first: 'sse' });
  });

  it.each([
    ['HTTP 405', refused(405)],
    ['HTTP 410', refused(410)],
    ['garbage', failure('PROTOCOL_ERROR')],
  ])('drops a learned SSE that fails with %s, and tries Streamable HTTP', async (_what, error) => {
    const { after } = bench({ learned: 'sse', sse: [error], http: [trouble(), undefined] });
    expect(await after(LONG)).toMatchObject({
      attempts: ['sse @0', 'http @0', 'http @250'],
      outcome: 'connected',
      first: 'http',
    });
  });

  it.each([
    ['sign-in', failure('AUTH_REQUIRED'), 1],
    ['a network error', trouble(), 3],
  ])('drops a learned SSE that fails with %s, for the next start', async (_what, error, times) => {
    const { after } = bench({ learned: 'sse', sse: Array<PanelError>(3).fill(error) });
    const { attempts, first } = await after(LONG);
    expect(attempts).toHaveLength(times);
    expect(first).toBe('http');
  });

  it('keeps what it learned when it is called off', async () => {
    const { after, clock, abort } = bench({ learned: 'sse', sse: [trouble()] });
    await clock.advance(0);
    abort.abort();
    expect((await after(0)).first).toBe('sse');
  });
});
