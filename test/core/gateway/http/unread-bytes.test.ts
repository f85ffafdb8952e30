import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnreadBytes, type UnreadResponse } from '../../../../electron/core/gateway/http/unread-bytes.ts';
import type { GatewayClient } from '../../../../electron/core/gateway/types.ts';

const MAX_BYTES = 100;
const turns = () => new Promise((resolve) => setImmediate(resolve));

/** A response of which the test says what waits. */
class FakeResponse implements UnreadResponse {
  readonly client: GatewayClient;
  takenAtMs = 0;
  bytes = 0;
  looks = 0;
  isDropped = false;
  readonly #unread: UnreadBytes;

  constructor(clientId: string, unread: UnreadBytes) {
    this.client = { id: clientId, name: `name of ${clientId}`, scopes: ['mcp'] };
    this.#unread = unread;
  }

  /** Of what is written, nothing is read. */
  write(bytes: number): this {
    if (this.isDropped) return this;
    this.bytes += bytes;
    this.#unread.note(this, this.bytes);
    return this;
  }
  unreadAt(): number {
    this.looks += 1;
    return this.bytes;
  }
  drop(): void {
    this.isDropped = true;
    this.#unread.forget(this);
  }
}

function bench() {
  const brokenOff: string[] = [];
  const unread = new UnreadBytes({
    maxBytes: MAX_BYTES,
    nowMs: () => 1000,
    onBrokenOff: ({ name }) => brokenOff.push(name),
  });
  return { unread, brokenOff, of: (clientId: string) => new FakeResponse(clientId, unread) };
}

describe('what clients have not read', () => {
  it('up to its bound costs nobody anything, and no look', async () => {
    const { unread, brokenOff, of } = bench();
    const all = [of('a').write(60), of('b').write(40), of('c').write(0)];
    await turns();
    expect([brokenOff, all.map(({ looks }) => looks), unread.size]).toEqual([[], [0, 0, 0], 2]);
    for (const one of all) unread.forget(one);
    expect(unread.size).toBe(0);
  });

  it('costs the response that holds most for longest, so that one that is being read outlives one that is not', async () => {
    const { of } = bench();
    const fresh = of('a').write(70);
    fresh.takenAtMs = 1000;
    const stuck = of('a').write(40);
    await turns();
    expect([fresh.isDropped, stuck.isDropped]).toEqual([false, true]);
  });

  it('is looked at again before anything is broken off, and what was read since does not count', async () => {
    const { brokenOff, of } = bench();
    const read = of('a').write(90);
    read.bytes = 0;
    const next = of('a').write(90);
    await turns();
    expect([brokenOff, read.looks, next.looks]).toEqual([[], 1, 1]);
  });

  it('is broken off in no write, because its writer is not done yet', () => {
    const { of } = bench();
    expect(of('a').write(MAX_BYTES + 1).isDropped).toBe(false);
  });

  it('stays within its bound, and costs no client within its even share, however much is written', async () => {
    const write = fc.record({
      who: fc.constantFrom('a', 'b', 'c'),
      which: fc.nat({ max: 3 }),
      bytes: fc.nat({ max: 40 }),
    });
    let dropped = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 10, maxLength: 60, size: 'max' }), async (writes) => {
        const { unread, of } = bench();
        const responses: FakeResponse[] = [];
        const open = () => responses.filter(({ isDropped }) => !isDropped);
        const held = (who?: string) =>
          open().reduce((sum, one) => sum + (who === undefined || one.client.id === who ? one.bytes : 0), 0);
        for (const { who, which, bytes } of writes) {
          const own = open().filter(({ client }) => client.id === who);
          const response = own[which] ?? of(who);
          if (!responses.includes(response)) responses.push(response);
          response.write(bytes);
          const before = new Map(['a', 'b', 'c'].map((id) => [id, held(id)]));
          const wereOpen = open();
          await turns();
          expect(held()).toBeLessThanOrEqual(MAX_BYTES);
          for (const { client, isDropped } of wereOpen) {
            if (!isDropped) continue;
            dropped += 1;
            expect(before.get(client.id)).toBeGreaterThan(MAX_BYTES / 3);
          }
        }
        for (const one of open()) one.drop();
        expect(unread.size).toBe(0);
      }),
      { numRuns: 50 },
    );
    // The property says nothing where nothing was ever broken off.
    expect(dropped).toBeGreaterThan(10);
  });
});
