import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../shared/domain.ts';
import { createHistoryFiller } from '../../../renderer/store/history-filler.ts';
import { createHistoryStore } from '../../../renderer/store/history-store.ts';
import { aSample, aServer } from '../builders.ts';

describe('HistoryStore', () => {
  it('collects the samples of pushed servers and tells which changed', () => {
    const history = createHistoryStore();
    history.append([aServer('a', { sample: aSample(1000) }), aServer('b')]);
    history.append([aServer('a', { sample: aSample(1000) })]);
    expect(history.state.getState().versions).toEqual(new Map([['a', 1]]));
    history.append([aServer('a', { sample: aSample(2000) })]);
    expect(history.state.getState().versions).toEqual(new Map([['a', 2]]));
    expect(history.since('a', 0)).toHaveLength(2);
    expect(history.latestAt('a')).toBe(2000);
    expect(history.oldestAt('a')).toBe(1000);
    expect(history.since('b', 0)).toEqual([]);
  });

  it('tells of a completed past apart from a new sample', () => {
    const history = createHistoryStore();
    history.append([aServer('a', { sample: aSample(2000) })]);
    expect(history.state.getState().fills).toEqual(new Map());
    history.fill('a', [aSample(1000)]);
    expect(history.state.getState()).toEqual({
      versions: new Map([['a', 2]]),
      fills: new Map([['a', 1]]),
    });
    history.fill('a', [aSample(1000)]);
    expect(history.state.getState().fills).toEqual(new Map([['a', 1]]));
  });

  it('forgets servers that are gone', () => {
    const history = createHistoryStore();
    history.fill('a', [aSample(1)]);
    history.fill('b', [aSample(1)]);
    history.keepOnly(['b']);
    expect(history.since('a', 0)).toEqual([]);
    expect(history.since('b', 0)).toHaveLength(1);
  });
});

/** Requests for history that a test answers one by one. */
function setUpFiller(now = 4000) {
  const history = createHistoryStore();
  const requests: {
    name: string;
    sinceMs: number;
    answer: (samples: Sample[]) => void;
    refuse: () => void;
  }[] = [];
  const filler = createHistoryFiller(
    history,
    (name, sinceMs) =>
      new Promise((resolve, reject) => {
        requests.push({ name, sinceMs, answer: resolve, refuse: () => reject(new Error('no')) });
      }),
    () => now,
  );
  return { history, requests, filler, settled: () => new Promise<void>((resolve) => setTimeout(resolve)) };
}

describe('HistoryFiller', () => {
  it('asks once for a past that is covered, again for an older one', async () => {
    const { filler, requests, history, settled } = setUpFiller();
    filler.ensure('a', 5000);
    filler.ensure('a', 6000);
    expect(requests).toMatchObject([{ name: 'a', sinceMs: 5000 }]);
    requests[0]!.answer([aSample(5500)]);
    await settled();
    expect(history.since('a', 0)).toHaveLength(1);
    filler.ensure('a', 1000);
    expect(requests).toHaveLength(2);
  });

  it('has at most four requests under way', async () => {
    const { filler, requests, settled } = setUpFiller();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) filler.ensure(name, 1);
    expect(requests.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    requests[0]!.answer([]);
    requests[1]!.refuse();
    await settled();
    expect(requests.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('asks again after a failure', async () => {
    const { filler, requests, settled } = setUpFiller();
    filler.ensure('a', 5000);
    requests[0]!.refuse();
    await settled();
    filler.ensure('a', 5000);
    expect(requests).toHaveLength(2);
  });

  it('after missed pushes, asks from the last sample on', async () => {
    const { filler, requests, history, settled } = setUpFiller();
    filler.ensure('a', 1000);
    requests[0]!.answer([aSample(1500), aSample(2500)]);
    await settled();
    filler.resume(['a', 'never-asked']);
    expect(requests).toHaveLength(2);
    expect(requests[1]).toMatchObject({ name: 'a', sinceMs: 2500 });
    requests[1]!.answer([aSample(2500), aSample(3500)]);
    await settled();
    expect(history.since('a', 0).map((sample) => sample.at)).toEqual([1500, 2500, 3500]);
  });

  it('asks after a long absence for what is kept, which is an hour only of what somebody looked at', async () => {
    const { filler, requests, settled } = setUpFiller(7_200_000);
    filler.ensure('a', 1000);
    filler.ensureHour('b', 1000);
    for (const { answer } of requests) answer([aSample(2000)]);
    await settled();
    filler.resume(['a', 'b']);
    expect(requests.slice(2)).toMatchObject([
      { name: 'a', sinceMs: 7_200_000 - 360_000 },
      { name: 'b', sinceMs: 3_600_000 },
    ]);
  });
});
