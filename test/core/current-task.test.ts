import { describe, expect, it } from 'vitest';
import { CurrentTask } from '../../electron/core/current-task.ts';
import { createFakeClock } from './fake-clock.ts';

function bench() {
  const clock = createFakeClock();
  return { currentTask: new CurrentTask(clock), work: (ms: number) => clock.jump(ms) };
}

describe('Doing', () => {
  it('names the longest piece since the last question, and for which server it was done', () => {
    const { currentTask, work } = bench();
    currentTask.run('sample', undefined, () => work(20));
    currentTask.run('read-output', 'alpha', () => work(30));
    currentTask.run('read-stderr', 'beta', () => work(10));
    expect(currentTask.takeLongest()).toEqual({ task: 'read-output', instance: 'alpha', tookMs: 30 });
    expect(currentTask.takeLongest()).toBeUndefined();
  });

  it('prefers an inner piece that took at least half of the outer one', () => {
    const { currentTask, work } = bench();
    currentTask.run('read-output', 'alpha', () => {
      work(40);
      currentTask.run('read-stderr', 'alpha', () => work(60));
    });
    expect(currentTask.takeLongest()).toMatchObject({ task: 'read-stderr', tookMs: 60 });
  });

  it('names the outer piece where the inner one took little of it', () => {
    const { currentTask, work } = bench();
    currentTask.run('read-output', 'alpha', () => {
      currentTask.run('read-stderr', 'alpha', () => work(10));
      work(90);
    });
    expect(currentTask.takeLongest()).toMatchObject({ task: 'read-output', tookMs: 100 });
  });

  it('does not take a shorter piece for one within a longer one that came before it', () => {
    const { currentTask, work } = bench();
    currentTask.run('sample', undefined, () => work(60));
    currentTask.run('read-output', 'alpha', () => work(70));
    expect(currentTask.takeLongest()).toMatchObject({ task: 'read-output', tookMs: 70 });
  });

  it('hands on what the work returns or throws, and is out of it then', () => {
    const { currentTask, work } = bench();
    expect(currentTask.run('sample', undefined, () => 7)).toBe(7);
    const fail = () => {
      work(5);
      throw new Error('no');
    };
    expect(() => currentTask.run('read-output', 'alpha', fail)).toThrow('no');
    work(100);
    currentTask.run('sample', undefined, () => work(6));
    expect(currentTask.takeLongest()).toEqual({ task: 'sample', instance: undefined, tookMs: 6 });
  });
});
