import { describe, expect, it } from 'vitest';
import { createClockStore } from '../../../renderer/store/clock-store.ts';
import { createStoryStore } from '../../../renderer/store/story-store.ts';
import type { RestartStory, StoryQuery } from '../../../shared/restart-story.ts';
import { anEnd, aStory } from '../restarts/story-builders.ts';

/** A store whose questions the test answers, in the order that it likes. */
function open() {
  const asked: {
    query: StoryQuery;
    answer: (story: RestartStory) => Promise<void>;
    fail: () => Promise<void>;
  }[] = [];
  const clock = createClockStore(() => 1_800_000_000_000);
  const getStory = (query: StoryQuery) =>
    new Promise<RestartStory>((resolve, reject) => {
      const settled = async (settle: () => void) => {
        settle();
        await Promise.resolve();
        await Promise.resolve();
      };
      asked.push({
        query,
        answer: (story) => settled(() => resolve(story)),
        fail: () => settled(() => reject(new Error('no'))),
      });
    });
  const store = createStoryStore(getStory, clock);
  const tick = () => clock.setState({ now: clock.getState().now + 1000 });
  const ids = () => store.state.getState().story?.ends.map(({ id }) => id);
  return { store, asked, tick, ids };
}

describe('the story of a server in the window', () => {
  it('is asked for with the ninety days up to now', () => {
    const { store, asked } = open();
    store.follow('one');
    const { server, from, to, isTroubleOnly } = asked[0]!.query;
    expect({ server, isTroubleOnly }).toEqual({ server: 'one', isTroubleOnly: false });
    expect(to - from).toBeGreaterThanOrEqual(90 * 86_400_000);
  });

  it('takes no answer that belongs to another server', async () => {
    const { store, asked, ids } = open();
    const leave = store.follow('one');
    leave();
    store.follow('two');
    await asked[0]!.answer(aStory([anEnd('1')]));
    expect(ids()).toBeUndefined();
    await asked[1]!.answer(aStory([anEnd('2')]));
    expect(ids()).toEqual(['2']);
  });

  it('grows by older pages, and keeps them under newer ends', async () => {
    const { store, asked, ids } = open();
    store.follow('one');
    await asked[0]!.answer(aStory([anEnd('4'), anEnd('3')], { hasMore: true }));
    store.askOlder();
    store.askOlder();
    expect(asked).toHaveLength(2);
    expect(asked[1]!.query.before).toBe('3');
    await asked[1]!.answer(aStory([anEnd('2'), anEnd('1')]));
    expect(ids()).toEqual(['4', '3', '2', '1']);
    store.refresh();
    await asked[2]!.answer(aStory([anEnd('5'), anEnd('4')], { hasMore: true }));
    expect(ids()).toEqual(['5', '4', '3', '2', '1']);
    expect(store.state.getState().story?.hasMore).toBe(false);
  });

  it('is asked for once more a moment after an event, because the history learns of it in batches', () => {
    const { store, asked, tick } = open();
    store.follow('one');
    store.refresh();
    expect(asked).toHaveLength(2);
    for (let second = 0; second < 5; second += 1) tick();
    expect(asked).toHaveLength(3);
  });

  it('stays as it is where it could not be read anew, and says so', async () => {
    const { store, asked, ids } = open();
    store.follow('one');
    await asked[0]!.answer(aStory([anEnd('1')]));
    store.refresh();
    await asked[1]!.fail();
    expect(ids()).toEqual(['1']);
    expect(store.state.getState().error).toMatchObject({ message: 'no' });
  });

  it('asks anew for what went wrong alone', async () => {
    const { store, asked, ids } = open();
    store.follow('one');
    await asked[0]!.answer(aStory([anEnd('1')]));
    store.setTroubleOnly(true);
    expect(ids()).toBeUndefined();
    expect(asked[1]!.query.isTroubleOnly).toBe(true);
  });
});
