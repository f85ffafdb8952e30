import { describe, expect, it } from 'vitest';
import { createFakeClock } from './fake-clock.ts';

describe('createFakeClock', () => {
  it('runs timers at their own time, in order of time and then of creation', async () => {
    const clock = createFakeClock();
    const ran: string[] = [];
    const note = (name: string) => () => ran.push(`${name}@${clock.now()}`);
    clock.setTimeout(note('late'), 30);
    clock.setTimeout(note('first'), 10);
    clock.setTimeout(note('second'), 10);
    await clock.advance(20);
    expect(ran).toEqual(['first@10', 'second@10']);
    expect(clock.now()).toBe(20);
    expect(clock.pending).toBe(1);
  });

  it('runs timers that tasks and promises set up on the way', async () => {
    const clock = createFakeClock();
    const ran: number[] = [];
    const chain = async () => {
      for (let step = 0; step < 3; step += 1) {
        await new Promise<void>((resolve) => clock.setTimeout(resolve, 10));
        ran.push(clock.now());
      }
    };
    void chain();
    await clock.advance(30);
    expect(ran).toEqual([10, 20, 30]);
    expect(clock.pending).toBe(0);
  });

  it('never runs a timer that was disposed of, also by a task of the same instant', async () => {
    const clock = createFakeClock();
    let hasRun = false;
    clock.setTimeout(() => second.dispose(), 5);
    const second = clock.setTimeout(() => (hasRun = true), 5);
    await clock.advance(100);
    expect(hasRun).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('lets the time of day jump without a timer noticing', async () => {
    const clock = createFakeClock();
    let ranAt = -1;
    clock.setTimeout(() => (ranAt = clock.now()), 50);
    clock.setEpochMs(1000);
    await clock.advance(50);
    expect(ranAt).toBe(50);
    expect(clock.epochMs()).toBe(1050);
  });
});
