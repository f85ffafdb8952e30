import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownSlot } from '../../../../electron/core/sessions/session-policy.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { TurnLine } from '../../../../electron/core/gateway/upstream/turn-line.ts';
import type { TurnWait } from '../../../../electron/core/gateway/session/options.ts';
import { tinyServer } from '../../../fixtures/fixture-server.ts';
import { stdioConfig } from '../../sessions/fake-servers.ts';
import { createClients, createEdgeBench, type Asked } from '../session/sessions-bench.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const CALLS = { timeoutMs: 20_000, maxTotalMs: 3_600_000 };

/** Clients of one server that answers in turn, whose every answer the test makes. */
async function bench() {
  const config = stdioConfig('one', tinyServer());
  const edge = createEdgeBench({ ...config, panel: { ...config.panel, calls: CALLS } });
  const waits: TurnWait[] = [];
  const { newClient, ended } = createClients({
    ...edge,
    wallClock: edge.clock,
    servers: { find: () => edge.server },
    sharingOf: () => ({ slot: ownSlot, answersInTurn: true }),
    onTurnWaited: (wait) => waits.push(wait),
  });
  await edge.server.start();
  const join = async (name: string) => {
    const client = newClient(name);
    client.initialize();
    await edge.settle();
    return client;
  };
  const written = () =>
    edge.asked.filter(({ method }) => method === 'tools/call').map(({ params }) => params?.['name']);
  const answer = async (index: number) => {
    const call = edge.asked.filter(({ method }) => method === 'tools/call')[index] as Asked;
    call.answer({ content: [] });
    await edge.settle();
  };
  return { ...edge, ended, waits, join, written, answer };
}

describe('a call of a tool whose server answers one at a time', () => {
  it('waits here until the one on the wire is answered, of its own client as well', async () => {
    const { join, written, answer, settle, waits, clock } = await bench();
    const [ana, ben] = [await join('ana'), await join('ben')];
    ana.tool(1, 'long');
    const [short, own] = [ben.tool(1, 'short'), ana.tool(2, 'own')];
    await settle();
    expect(written()).toEqual(['long']);
    await clock.advance(2000);
    await answer(0);
    expect(written()).toEqual(['long', 'short']);
    await answer(1);
    expect(short.answer).toMatchObject({ id: 1, result: {} });
    expect(written()).toEqual(['long', 'short', 'own']);
    await answer(2);
    expect(own.answer).toMatchObject({ id: 2, result: {} });
    expect(waits).toMatchObject([
      { clientId: 'id of ben', waitedMs: 2000 },
      { clientId: 'id of ana', waitedMs: 2000 },
    ]);
  });

  it('that was given up before it was written is never written', async () => {
    const { join, written, answer, settle } = await bench();
    const [ana, ben] = [await join('ana'), await join('ben')];
    ana.tool(1, 'long');
    ben.tool(1, 'given up');
    ben.post({ method: 'notifications/cancelled', params: { requestId: 1 } });
    ben.tool(2, 'again');
    await settle();
    await answer(0);
    expect(written()).toEqual(['long', 'again']);
  });

  it('is told while it waits what for, where it asked for progress', async () => {
    const { join, settle, clock } = await bench();
    const [ana, ben] = [await join('ana'), await join('ben')];
    ana.tool(1, 'long');
    const [other, own] = [ben.tool(7, 'short'), ana.tool(2, 'own')];
    await settle();
    await clock.advance(4000);
    const words = ({ streamed }: typeof other) => streamed.at(-1)?.params?.['message'];
    expect(words(other)).toBe('waiting for another client, 4 s');
    expect(words(own)).toBe('waiting for an earlier call, 4 s');
  });

  it('is refused, unsent, after the time that a call may take', async () => {
    const { join, written, settle, clock, answer } = await bench();
    const [ana, ben] = [await join('ana'), await join('ben')];
    ana.tool(1, 'long');
    const late = ben.tool(1, 'late');
    await settle();
    await clock.advance(CALLS.timeoutMs + 1000);
    expect(late.answer).toMatchObject({
      error: {
        code: -32603,
        message: expect.stringContaining('was not sent') as string,
        data: { code: 'REQUEST_TIMEOUT' },
      },
    });
    await answer(0);
    expect(written()).toEqual(['long']);
  });

  it('goes on in the line when the server is lost, and is sent to the next run of it', async () => {
    const { join, written, settle, server } = await bench();
    const [ana, ben] = [await join('ana'), await join('ben')];
    const lost = ana.tool(1, 'long');
    const kept = ben.tool(1, 'short');
    await settle();
    server.crash();
    await settle();
    expect(lost.answer).toMatchObject({ error: { data: { code: 'CRASHED' } } });
    expect(kept.isOpen).toBe(true);
    await server.start();
    await settle();
    expect(written()).toEqual(['long', 'short']);
  });
});

describe('the line', () => {
  const never = new AbortController().signal;

  it('goes on with the session that was answered longest ago', async () => {
    const line = new TurnLine();
    const order: string[] = [];
    const call = async (session: string) => {
      const leave = await line.enter(session, never);
      order.push(session);
      await Promise.resolve();
      leave(true);
    };
    await Promise.all(['ana', 'ana', 'ben', 'ana', 'cleo', 'ben'].map(call));
    expect(order).toEqual(['ana', 'ben', 'cleo', 'ana', 'ben', 'ana']);
  });

  it('lets a session whose call was given up on the wire come before those that were answered', async () => {
    const line = new TurnLine();
    const order: string[] = [];
    const call = async (session: string, isAnswered: boolean) => {
      const leave = await line.enter(session, never);
      order.push(session);
      await Promise.resolve();
      leave(isAnswered);
    };
    await Promise.all([call('ana', true), call('ben', false), call('ana', true), call('ben', true)]);
    expect(order).toEqual(['ana', 'ben', 'ben', 'ana']);
  });

  it('for any order of entering, giving up and leaving: one is on the wire, and nobody is lost', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('enter' as const), session: fc.constantFrom('ana', 'ben', 'cleo') }),
      fc.record({ kind: fc.constantFrom('leave' as const, 'give up' as const), index: fc.nat(20) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const line = new TurnLine();
        const entered: (() => void)[] = [];
        const calls: { giveUp: AbortController; state: 'waits' | 'entered' | 'over' }[] = [];
        const settle = () => new Promise((resolve) => setImmediate(resolve));
        for (const one of steps) {
          if (one.kind === 'enter') {
            const call = { giveUp: new AbortController(), state: 'waits' as 'waits' | 'entered' | 'over' };
            calls.push(call);
            line.enter(one.session, call.giveUp.signal).then(
              (leave) => {
                call.state = 'entered';
                entered.push(() => {
                  call.state = 'over';
                  leave(true);
                });
              },
              () => (call.state = 'over'),
            );
          } else if (one.kind === 'leave') entered.pop()?.();
          else calls[one.index % Math.max(1, calls.length)]?.giveUp.abort(new PanelError('CANCELLED', 'no'));
          await settle();
          const waits = calls.filter(({ state }) => state === 'waits').length;
          const onWire = calls.filter(({ state }) => state === 'entered').length;
          expect(line.size).toBe(waits);
          expect(onWire).toBe(waits > 0 ? 1 : Math.min(onWire, 1));
        }
        for (let left = entered.pop(); left; left = entered.pop()) {
          left();
          await settle();
        }
        expect(line.size).toBe(0);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
