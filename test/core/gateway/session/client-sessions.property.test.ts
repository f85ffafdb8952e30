import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEdgeBench, type TestClient } from './sessions-bench.ts';
import type { FakeReply } from './fake-reply.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

type Step =
  | { readonly kind: 'call' | 'cancel' | 'leave'; readonly client: number; readonly id: number }
  | { readonly kind: 'answer'; readonly place: number }
  | { readonly kind: 'crash' | 'start' | 'stop' | 'settle' };

const who = { client: fc.integer({ min: 0, max: 2 }), id: fc.integer({ min: 1, max: 4 }) };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('call' as const), ...who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('cancel' as const, 'leave' as const), ...who }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('answer' as const), place: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('crash' as const, 'start' as const, 'stop' as const) }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'settle' as const }) },
);

interface Made {
  readonly client: TestClient;
  readonly id: number;
  readonly mark: string;
  readonly reply: FakeReply;
  wasCancelled: boolean;
  hasLeft: boolean;
}

describe('any order of calls, cancellations, answers, crashes and stops', () => {
  it('answers each call once and to its caller, a cancelled one never with an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const bench = createEdgeBench();
        await bench.server.start();
        const clients = ['a', 'b', 'c'].map((name) => bench.newClient(name));
        for (const client of clients) client.initialize();
        await bench.settle();
        const made: Made[] = [];
        const openOf = (client: number, id: number) =>
          made.filter((one) => one.client === clients[client] && one.id === id && one.reply.isOpen);
        const take: Record<Step['kind'], (step: never) => unknown> = {
          call: ({ client, id }: Step & { client: number; id: number }) => {
            const mark = `${client}/${made.length}`;
            // An id that is in use is another request's: clients do not do that.
            if (openOf(client, id).length > 0) return;
            const reply = clients[client]!.tool(id, mark);
            made.push({ client: clients[client]!, id, mark, reply, wasCancelled: false, hasLeft: false });
          },
          cancel: ({ client, id }: Step & { client: number; id: number }) => {
            for (const one of openOf(client, id)) one.wasCancelled = true;
            clients[client]!.post({ method: 'notifications/cancelled', params: { requestId: id } });
          },
          leave: ({ client, id }: Step & { client: number; id: number }) => {
            for (const one of openOf(client, id)) {
              one.hasLeft = true;
              one.reply.leave();
            }
          },
          answer: ({ place }: Step & { place: number }) => {
            const asked = bench.asked[place % Math.max(1, bench.asked.length)];
            asked?.options.onProgress?.({ progress: 1, message: String(asked.params?.['name']) });
            asked?.answer({ mark: asked.params?.['name'] });
          },
          crash: () => (bench.server.stateKind === 'running' ? bench.server.crash() : undefined),
          start: () => (bench.server.stateKind === 'running' ? undefined : bench.server.start()),
          stop: () => bench.stop(),
          settle: () => bench.settle(),
        };
        for (const one of steps) {
          const done = take[one.kind](one as never);
          if (one.kind === 'stop' || one.kind === 'settle') await done;
        }
        await bench.settle();
        for (const asked of bench.asked) asked.answer({ mark: asked.params?.['name'] });
        await bench.stop();
        await bench.settle();
        for (const { reply, id, mark, wasCancelled, hasLeft } of made) {
          expect(reply.ends, mark).toBe(hasLeft ? 0 : 1);
          if (reply.answer) expect(reply.answer.id).toBe(id);
          if (reply.answer?.result) expect(reply.answer.result['mark']).toBe(mark);
          if (!reply.answer) expect(wasCancelled || hasLeft, mark).toBe(true);
          for (const { params } of reply.streamed) {
            expect(params?.['progressToken']).toBe(id);
            if (String(params?.['message']).includes('/')) expect(params?.['message']).toBe(mark);
          }
        }
        expect(bench.ended).toHaveLength(made.length);
        // Nothing was ever sent twice.
        const sent = bench.asked.map(({ params }) => params?.['name']);
        expect(new Set(sent).size).toBe(sent.length);
        bench.edge.current.dispose();
        await bench.sessions.close();
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});
