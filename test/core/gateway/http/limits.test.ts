import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatewayLimits, Limits, Place } from '../../../../electron/core/gateway/http/limits.ts';
import { createFakeClock } from '../../fake-clock.ts';

const SMALL = {
  ...gatewayLimits,
  requests: { burst: 3, perSecond: 2 },
  sessions: { burst: 1, perSecond: 0.1 },
  streamsPerClient: 2,
  callsPerClient: 2,
  calls: 3,
  longBodyBytes: 100,
};

const isPlace = (given: unknown): given is Place => given instanceof Place;

function create() {
  const clock = createFakeClock();
  return { clock, limits: new Limits(clock, SMALL) };
}

describe('requests and new sessions', () => {
  it('are refused with 429 and whole seconds to wait when a client has too many, and nobody else is', () => {
    const { clock, limits } = create();
    expect([1, 2, 3].map(() => limits.request('a'))).toEqual([undefined, undefined, undefined]);
    expect(limits.request('a')).toMatchObject({
      status: 429,
      reason: 'rate',
      headers: { 'Retry-After': '1' },
    });
    expect(limits.request('b')).toBeUndefined();
    expect(limits.session('a')).toBeUndefined();
    expect(limits.session('a')).toMatchObject({ status: 429, headers: { 'Retry-After': '10' } });
    clock.tick(8500);
    expect(limits.session('a')).toMatchObject({ headers: { 'Retry-After': '2' } });
    clock.tick(1500);
    expect([limits.request('a'), limits.session('a')]).toEqual([undefined, undefined]);
  });
});

describe('a place', () => {
  it('of a client that is forgotten comes back to all, and not to who has its id then', () => {
    const { limits } = create();
    const [one, two] = [limits.call('a'), limits.call('a')];
    limits.forget('a');
    const again = limits.call('a');
    expect([isPlace(again), isPlace(limits.call('b'))]).toEqual([true, false]);
    for (const place of [one, two]) if (isPlace(place)) place.giveBack();
    expect([isPlace(limits.call('a')), isPlace(limits.call('a'))]).toEqual([true, false]);
  });

  it('is never lost and never given twice, whatever comes and goes', () => {
    const action = fc.record({
      who: fc.constantFrom('a', 'b', 'c'),
      kind: fc.constantFrom('call', 'stream', 'back'),
      which: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 100 }), (actions) => {
        const { limits } = create();
        const taken: { who: string; kind: string; place: Place }[] = [];
        const count = (kind: string, who?: string) =>
          taken.filter((one) => one.kind === kind && (who === undefined || one.who === who)).length;
        for (const { who, kind, which } of actions) {
          if (kind === 'back') {
            const [one] = taken.splice(which % Math.max(1, taken.length), 1);
            one?.place.giveBack();
            continue;
          }
          const isFree =
            kind === 'call'
              ? count('call') < SMALL.calls && count('call', who) < SMALL.callsPerClient
              : count('stream', who) < SMALL.streamsPerClient;
          const given = kind === 'call' ? limits.call(who) : limits.stream(who);
          expect(isPlace(given)).toBe(isFree);
          if (isPlace(given)) taken.push({ who, kind, place: given });
        }
      }),
    );
  });
});

describe('the bytes of long bodies', () => {
  it('are one budget for all, of which a request gives back what it took, and takes no more after it', () => {
    const { limits } = create();
    const [one, two] = [limits.call('a') as Place, limits.call('b') as Place];
    expect([one.take(60), two.take(40), two.take(1)]).toEqual([true, true, false]);
    one.giveBack();
    expect(one.take(1)).toBe(false);
    expect([two.take(61), two.take(60)]).toEqual([false, true]);
    two.giveBack();
    expect((limits.call('a') as Place).take(100)).toBe(true);
  });
});
