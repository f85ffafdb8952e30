import { describe, expect, it } from 'vitest';
import { createDeferred, type Deferred } from '../../../electron/core/deferred.ts';
import { nextTurn } from '../../../electron/core/next-turn.ts';
import { SharedLook } from '../../../electron/core/platform/process-forest.ts';

function bench() {
  const looks: Deferred<string>[] = [];
  const look = new SharedLook(() => {
    const deferred = createDeferred<string>();
    looks.push(deferred);
    return deferred.promise;
  });
  return { look, looks };
}
const turns = async () => {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
};

describe('SharedLook', () => {
  it('serves everybody who asks before it has begun with one look', async () => {
    const { look, looks } = bench();
    const answers = [look.ask(), look.ask()];
    await Promise.resolve();
    answers.push(look.ask());
    await turns();
    expect(looks).toHaveLength(1);
    looks[0]!.resolve('first');
    expect(await Promise.all(answers)).toEqual(['first', 'first', 'first']);
  });

  it('gives nobody what was seen before the question', async () => {
    const { look, looks } = bench();
    const early = look.ask();
    await turns();
    const late = [look.ask(), look.ask()];
    await turns();
    expect(looks).toHaveLength(1);
    looks[0]!.resolve('old');
    await turns();
    looks[1]!.resolve('new');
    expect([await early, await Promise.all(late)]).toEqual(['old', ['new', 'new']]);
    expect(looks).toHaveLength(2);
  });

  it('tells a failure to those who share it, and looks again for the next', async () => {
    const { look, looks } = bench();
    const shared = [look.ask(), look.ask()];
    const told = Promise.allSettled(shared);
    await turns();
    looks[0]!.reject(new Error('no answer'));
    expect((await told).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = look.ask();
    await turns();
    looks[1]!.resolve('well');
    expect(await next).toBe('well');
  });
});
