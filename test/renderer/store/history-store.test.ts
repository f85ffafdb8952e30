import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../shared/domain.ts';
import { HistoryStore } from '../../../renderer/store/history-store.ts';
import { aSample, aServer } from '../builders.ts';
import { openQuestions } from '../open-answer.ts';

/** A store whose requests a test answers one by one. */
function bench(now = 4000) {
  const { asked, ask, answer, refuse } = openQuestions<{ name: string; sinceMs: number }, Sample[]>();
  const history = new HistoryStore(
    (name, sinceMs) => ask({ name, sinceMs }),
    () => now,
  );
  return { history, answer, refuse, requests: () => asked.map(({ question }) => question) };
}

describe('HistoryStore', () => {
  it('collects the samples of pushed servers and tells which changed', () => {
    const { history } = bench();
    history.append([aServer('a', { sample: aSample(1000) }), aServer('b')]);
    history.append([aServer('a', { sample: aSample(1000) })]);
    expect(history.state.getState().version).toBe(1);
    history.append([aServer('a', { sample: aSample(2000) })]);
    expect(history.state.getState().version).toBe(2);
    expect(history.since('a', 0)).toHaveLength(2);
    expect(history.latestAt('a')).toBe(2000);
    expect(history.since('b', 0)).toEqual([]);
  });

  it('tells of a completed past apart from a new sample', async () => {
    const { history, answer } = bench();
    history.append([aServer('a', { sample: aSample(2000) })]);
    expect(history.state.getState().fills).toEqual(new Map());
    history.ensure('a', 1000);
    await answer(0, [aSample(1000)]);
    expect(history.state.getState()).toEqual({ version: 2, fills: new Map([['a', 1]]) });
    history.ensure('a', 500);
    await answer(1, [aSample(1000)]);
    expect(history.state.getState().fills).toEqual(new Map([['a', 1]]));
  });

  it('takes newer samples only, stays bounded over a day of them, and holds the last minutes', () => {
    const { history } = bench();
    const endAt = 24 * 3_600_000;
    for (let at = 0; at <= endAt; at += 1000) history.append([{ name: 'a', sample: aSample(at) }]);
    history.append([{ name: 'a', sample: aSample(500) }]);
    expect(history.since('a', endAt - 300_000 + 1)).toHaveLength(300);
    expect(history.since('a', 0).length).toBeLessThanOrEqual(500);
    expect(history.latestAt('a')).toBe(endAt);
  });

  it('forgets servers that are gone', async () => {
    const { history, answer } = bench();
    for (const name of ['a', 'b']) history.ensure(name, 1);
    for (const request of [0, 1]) await answer(request, [aSample(1)]);
    history.keepOnly(['b']);
    expect(history.since('a', 0)).toEqual([]);
    expect(history.since('b', 0)).toHaveLength(1);
  });
});

describe('the past of a HistoryStore', () => {
  it('asks once for a past that is covered, again for an older one', async () => {
    const { history, requests, answer } = bench();
    history.ensure('a', 5000);
    history.ensure('a', 6000);
    expect(requests()).toEqual([{ name: 'a', sinceMs: 5000 }]);
    await answer(0, [aSample(5500)]);
    expect(history.since('a', 0)).toHaveLength(1);
    history.ensure('a', 1000);
    expect(requests()).toHaveLength(2);
  });

  it('has at most four requests under way', async () => {
    const { history, requests, answer, refuse } = bench();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) history.ensure(name, 1);
    expect(requests().map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    await answer(0, []);
    await refuse(1);
    expect(requests().map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('asks again after a failure', async () => {
    const { history, requests, refuse } = bench();
    history.ensure('a', 5000);
    await refuse(0);
    history.ensure('a', 5000);
    expect(requests()).toHaveLength(2);
  });

  it('after missed pushes, asks from the last sample on', async () => {
    const { history, requests, answer } = bench();
    history.ensure('a', 1000);
    await answer(0, [aSample(1500), aSample(2500)]);
    history.resume(['a', 'never-asked']);
    expect(requests()).toHaveLength(2);
    expect(requests()[1]).toEqual({ name: 'a', sinceMs: 2500 });
    await answer(1, [aSample(3500), aSample(2500, { memoryBytes: 7 }), aSample(2000)]);
    expect(history.since('a', 0).map((sample) => sample.at)).toEqual([1500, 2000, 2500, 3500]);
    expect(history.since('a', 2500)[0]).toEqual(aSample(2500));
  });

  it('asks after a long absence for what is kept', async () => {
    const { history, requests, answer } = bench(7_200_000);
    history.ensure('a', 1000);
    await answer(0, [aSample(2000)]);
    history.resume(['a']);
    expect(requests().slice(1)).toEqual([{ name: 'a', sinceMs: 7_200_000 - 360_000 }]);
  });
});
