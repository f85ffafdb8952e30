import { describe, expect, it } from 'vitest';
import { Doing } from '../../electron/core/doing.ts';
import { createFakeClock } from './fake-clock.ts';

function bench() {
  const clock = createFakeClock();
  return { doing: new Doing(clock), work: (ms: number) => clock.jump(ms) };
}

describe('Doing', () => {
  it('names the longest piece since the last question, and for which server it was done', () => {
    const { doing, work } = bench();
    doing.run('sample', undefined, () => work(20));
    doing.run('read-output', 'alpha', () => work(30));
    doing.run('read-stderr', 'beta', () => work(10));
    expect(doing.takeLongest()).toEqual({ task: 'read-output', instance: 'alpha', tookMs: 30 });
    expect(doing.takeLongest()).toBeUndefined();
  });

  it('prefers an inner piece that took at least half of the outer one', () => {
    const { doing, work } = bench();
    doing.run('read-output', 'alpha', () => {
      work(40);
      doing.run('read-stderr', 'alpha', () => work(60));
    });
    expect(doing.takeLongest()).toMatchObject({ task: 'read-stderr', tookMs: 60 });
  });

  it('names the outer piece where the inner one took little of it', () => {
    const { doing, work } = bench();
    doing.run('read-output', 'alpha', () => {
      doing.run('read-stderr', 'alpha', () => work(10));
      work(90);
    });
    expect(doing.takeLongest()).toMatchObject({ task: 'read-output', tookMs: 100 });
  });

  it('does not take a shorter piece for one within a longer one that came before it', () => {
    const { doing, work } = bench();
    doing.run('sample', undefined, () => work(60));
    doing.run('read-output', 'alpha', () => work(70));
    expect(doing.takeLongest()).toMatchObject({ task: 'read-output', tookMs: 70 });
  });

  it('hands on what the work returns or throws, and is out of it then', () => {
    const { doing, work } = bench();
    expect(doing.run('sample', undefined, () => 7)).toBe(7);
    const fail = () => {
      work(5);
      throw new Error('no');
    };
    expect(() => doing.run('read-output', 'alpha', fail)).toThrow('no');
    work(100);
    doing.run('sample', undefined, () => work(6));
    expect(doing.takeLongest()).toEqual({ task: 'sample', instance: undefined, tookMs: 6 });
  });
});
