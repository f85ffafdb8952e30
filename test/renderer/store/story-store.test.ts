import { describe, expect, it } from 'vitest';
import { createClockStore } from '../../../renderer/store/clock-store.ts';
import { createStoryStore } from '../../../renderer/store/story-store.ts';
import type { RestartStory, StoryQuery } from '../../../shared/restart-story.ts';
import { openQuestions } from '../open-answer.ts';
import { anEnd, aStory } from '../restarts/story-builders.ts';

/** A store whose questions the test answers, in the order that it likes. */
function open() {
  const { asked, ask, answer, refuse } = openQuestions<StoryQuery, RestartStory>();
  const clock = createClockStore(() => 1_800_000_000_000);
  const store = createStoryStore(ask, clock);
  const tick = () => clock.setState({ now: clock.getState().now + 1000 });
  const ids = () => store.state.getState().story?.ends.map(({ id }) => id);
  return { store, answer, refuse, tick, ids, asked: () => asked.map(({ question }) => question) };
}

describe('the story of a server in the window', () => {
  it('is asked for with the ninety days up to now', () => {
    const { store, asked } = open();
    store.follow('one');
    const { server, from, to, isTroubleOnly } = asked()[0]!;
    expect({ server, isTroubleOnly }).toEqual({ server: 'one', isTroubleOnly: false });
    expect(to - from).toBeGreaterThanOrEqual(90 * 86_400_000);
  });

  it('takes no answer that belongs to another server', async () => {
    const { store, answer, ids } = open();
    const leave = store.follow('one');
    leave();
    store.follow('two');
    await answer(0, aStory([anEnd('1')]));
    expect(ids()).toBeUndefined();
    await answer(1, aStory([anEnd('2')]));
    expect(ids()).toEqual(['2']);
  });

  it('grows by older pages, and keeps them under newer ends', async () => {
    const { store, asked, answer, ids } = open();
    store.follow('one');
    await answer(0, aStory([anEnd('4'), anEnd('3')], { hasMore: true }));
    store.askOlder();
    store.askOlder();
    expect(asked()).toHaveLength(2);
    expect(asked()[1]!.before).toBe('3');
    await answer(1, aStory([anEnd('2'), anEnd('1')]));
    expect(ids()).toEqual(['4', '3', '2', '1']);
    store.refresh();
    await answer(2, aStory([anEnd('5'), anEnd('4')], { hasMore: true }));
    expect(ids()).toEqual(['5', '4', '3', '2', '1']);
    expect(store.state.getState().story?.hasMore).toBe(false);
  });

  it('is asked for once more a moment after an event, because the history learns of it in batches', () => {
    const { store, asked, tick } = open();
    store.follow('one');
    store.refresh();
    expect(asked()).toHaveLength(2);
    for (let second = 0; second < 5; second += 1) tick();
    expect(asked()).toHaveLength(3);
  });

  it('stays as it is where it could not be read anew, and says so', async () => {
    const { store, answer, refuse, ids } = open();
    store.follow('one');
    await answer(0, aStory([anEnd('1')]));
    store.refresh();
    await refuse(1);
    expect(ids()).toEqual(['1']);
    expect(store.state.getState().error).toMatchObject({ message: 'no' });
  });

  it('asks anew for what went wrong alone', async () => {
    const { store, asked, answer, ids } = open();
    store.follow('one');
    await answer(0, aStory([anEnd('1')]));
    store.setTroubleOnly(true);
    expect(ids()).toBeUndefined();
    expect(asked()[1]!.isTroubleOnly).toBe(true);
  });
});
