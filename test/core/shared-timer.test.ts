import { describe, expect, it } from 'vitest';
import { OpenSet } from '../../electron/core/open-map.ts';
import { SharedTimer, type Timed } from '../../electron/core/shared-timer.ts';
import { createFakeClock } from './fake-clock.ts';

function createTimers() {
  const clock = createFakeClock();
  const timers = new SharedTimer(clock, new OpenSet());
  const ran: string[] = [];
  const beganAtMs = clock.now();
  const add = (name: string, delayMs: number, task?: () => void) => {
    const timed: Timed = {
      dueAtMs: clock.now() + delayMs,
      onDue: () => {
        timers.forget(timed);
        if (task) task();
        else ran.push(`${name} at ${clock.now() - beganAtMs}`);
      },
    };
    timers.watch(timed);
    return { dispose: () => timers.forget(timed) };
  };
  return { clock, timers, ran, add };
}

describe('SharedTimer', () => {
  it('runs each task when it is due, whatever order they came in, on one timer of the clock', async () => {
    const { clock, ran, add } = createTimers();
    add('late', 300);
    add('early', 100);
    add('middle', 200);
    expect(clock.pending).toBe(1);
    await clock.advance(1000);
    expect(ran).toEqual(['early at 100', 'middle at 200', 'late at 300']);
    expect(clock.pending).toBe(0);
  });

  it('keeps the timer of a disposed task, which goes off for the tasks that are left or for none', async () => {
    const { clock, ran, add } = createTimers();
    const first = add('first', 100);
    add('second', 150);
    first.dispose();
    const third = add('third', 170);
    await clock.advance(150);
    expect(ran).toEqual(['second at 150']);
    third.dispose();
    await clock.advance(20);
    expect(ran).toEqual(['second at 150']);
    expect(clock.pending).toBe(0);
  });

  it('runs no task that another one disposes, and those that it adds when they are due', async () => {
    const { clock, ran, add } = createTimers();
    add('first', 100, () => {
      other.dispose();
      add('added', 50);
    });
    const other = add('other', 100);
    await clock.advance(200);
    expect(ran).toEqual(['added at 150']);
  });

  it('leaves nothing behind when it is disposed', async () => {
    const { clock, timers, ran, add } = createTimers();
    add('never', 100);
    timers.dispose();
    expect(clock.pending).toBe(0);
    await clock.advance(200);
    expect(ran).toEqual([]);
  });
});
