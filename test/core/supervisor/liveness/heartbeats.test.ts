import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heartbeats } from '../../../../electron/core/supervisor/liveness/heartbeats.ts';

const T = 30_000;

/** Heartbeats at these moments; with nothing unfinished, unless said otherwise. */
function beatsAt(moments: readonly number[], wasIdle = true): Heartbeats {
  const heartbeats = new Heartbeats();
  for (const atMs of moments) heartbeats.beat(atMs, wasIdle, T);
  return heartbeats;
}
const everySecond = (count: number) => Array.from({ length: count }, (_, index) => index * 1000);

describe('Heartbeats', () => {
  it('are a rhythm from the third on', () => {
    expect(beatsAt(everySecond(2)).isRegular(T)).toBe(false);
    expect(beatsAt(everySecond(3)).isRegular(T)).toBe(true);
    expect(beatsAt(everySecond(3)).habitAt(12_000)).toEqual({ everyMs: 1000, sinceLastMs: 10_000 });
  });

  it('are none where they come as work goes on', () => {
    expect(beatsAt([0, 100, 5000]).isRegular(T)).toBe(false);
    expect(beatsAt([0, 100, 5000]).habitAt(6000)).toBeUndefined();
  });

  it('need six where only calls have seen them, as a tool may log at every step', () => {
    expect(beatsAt(everySecond(5), false).isRegular(T)).toBe(false);
    expect(beatsAt(everySecond(6), false).isRegular(T)).toBe(true);
  });

  it('are too rare for a silence of the threshold to mean anything', () => {
    expect(beatsAt([0, 16_000, 32_000]).isRegular(T)).toBe(false);
    expect(beatsAt([0, 15_000, 30_000]).isRegular(T)).toBe(true);
  });

  it('prove nothing by pausing once they have paused and gone on, as those of a loop do that a tool holds', () => {
    const heartbeats = beatsAt([...everySecond(5), 20_000, 21_000, 22_000, 23_000]);
    expect(beatsAt([...everySecond(5), 19_000, 20_000, 21_000, 22_000]).isRegular(T)).toBe(true);
    expect(heartbeats.isRegular(T)).toBe(false);
    expect(heartbeats.habitAt(24_000)).toBeUndefined();
  });

  it('have not paused when it was we who did not listen', () => {
    const heartbeats = beatsAt(everySecond(5));
    heartbeats.forget();
    for (const atMs of [60_000, 61_000, 62_000]) heartbeats.beat(atMs, true, T);
    expect(heartbeats.isRegular(T)).toBe(true);
  });

  it('survive a loaded machine: a fifth of lateness either way is a rhythm still', () => {
    const late = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(late, (delays) => {
        const heartbeats = beatsAt(delays.map((delayMs, index) => index * 5000 + delayMs));
        expect(heartbeats.isRegular(T)).toBe(true);
      }),
    );
  });
});
