import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpareClaims } from '../../../../electron/core/gateway/relay/spare-claims.ts';
import {
  SPARE_AFTER_MS,
  spareStep,
  type SpareFacts,
} from '../../../../electron/core/gateway/relay/spare-step.ts';

const facts = fc.record<SpareFacts>({
  isBusy: fc.boolean(),
  isOnSpare: fc.boolean(),
  spare: fc.constantFrom('open', 'opening', 'possible', 'none'),
  heldMs: fc.integer({ min: 0, max: 2 * SPARE_AFTER_MS }),
});

describe('what is done with a call whose server answers in turn', () => {
  it('is to write it unless it would wait for another client, may move, and there is a process for it', () => {
    fc.assert(
      fc.property(facts, (found) => {
        const { isBusy, isOnSpare, spare } = found;
        expect(spareStep(found) === 'write').toBe(!isBusy || isOnSpare || spare === 'none');
      }),
    );
  });

  it('is to hold it only while a process is coming, or for the time that one is worth', () => {
    fc.assert(
      fc.property(facts, (found) => {
        const { spare, heldMs } = found;
        if (spareStep(found) !== 'hold') return;
        expect(spare === 'opening' || (spare === 'possible' && heldMs < SPARE_AFTER_MS)).toBe(true);
      }),
    );
  });

  it.each([
    ['open', 0, 'move'],
    ['possible', SPARE_AFTER_MS - 1, 'hold'],
    ['possible', SPARE_AFTER_MS, 'open'],
    ['opening', 2 * SPARE_AFTER_MS, 'hold'],
    ['none', 2 * SPARE_AFTER_MS, 'write'],
  ] as const)('is, with a process that is %s, after %d ms, to %s', (spare, heldMs, step) => {
    expect(spareStep({ isBusy: true, isOnSpare: false, spare, heldMs })).toBe(step);
  });
});

describe('the numbers of further processes', () => {
  const names = ['ana', 'ben', 'cleo', 'dan'];
  const claimOrRelease = fc.record({
    nonce: fc.constantFrom(...names),
    isClaim: fc.boolean(),
    idle: fc.array(fc.integer({ min: 1, max: 4 })),
  });

  it('are one for each session while there is room, and shared only where the others leave them idle', () => {
    fc.assert(
      fc.property(fc.array(claimOrRelease), fc.integer({ min: 0, max: 4 }), (steps, room) => {
        const claims = new SpareClaims();
        const held = new Map<string, number>();
        for (const { nonce, isClaim, idle } of steps) {
          claims.release(nonce);
          held.delete(nonce);
          if (!isClaim) continue;
          const taken = new Set(held.values());
          const can = {
            open: (number: number) => number <= room,
            share: (number: number) => idle.includes(number),
          };
          const number = claims.claim(nonce, can);
          const lowestFree = [1, 2, 3, 4, 5].find((candidate) => !taken.has(candidate))!;
          const lowestIdle = [...taken].sort().find((candidate) => idle.includes(candidate));
          expect(number).toBe(lowestFree <= room ? lowestFree : lowestIdle);
          if (number !== undefined) held.set(nonce, number);
        }
      }),
    );
  });

  it('are given up by who claims another one', () => {
    const claims = new SpareClaims();
    const any = { open: () => true, share: () => false };
    expect([claims.claim('ana', any), claims.claim('ana', any), claims.claim('ben', any)]).toEqual([1, 1, 2]);
  });
});
