import { describe, expect, it } from 'vitest';
import { MemorySource } from '../../../electron/core/store/memory-source.ts';
import { restartStory } from '../../../electron/core/story/restart-story.ts';
import { readStoryEvents } from '../../../electron/core/story/story-events.ts';
import type { PastEventsQuery } from '../../../shared/history.ts';
import { HOUR_MS, MINUTE_MS, StoryWriter } from './story-builders.ts';

/** The history as a launch without a file remembers it, with the questions that it was asked. */
function sourceOf(writer: StoryWriter, oldestAt?: number) {
  const nothing = () => [];
  const source = new MemorySource({
    samples: nothing,
    callMinutes: nothing,
    clientCallMinutes: nothing,
    servers: nothing,
    events: () => writer.events,
  });
  const asked: PastEventsQuery[] = [];
  return {
    asked,
    events: (query: PastEventsQuery) => {
      asked.push(query);
      return source.events(query);
    },
    state: async () => ({ keptIn: 'memory' as const, ...(oldestAt !== undefined && { oldestAt }) }),
  };
}

const spanOf = ({ now }: StoryWriter) => ({ server: 'memory', from: 0, to: now + MINUTE_MS });

describe('the events of a story', () => {
  it('are those of the server and of the panel, in their order, without what says nothing about its runs', async () => {
    const writer = new StoryWriter();
    writer.add('panel-started', {}, null);
    writer.up();
    writer.pass(1).add('client-connected', {}, null);
    writer.add('crashed', {}, 'another');
    writer.add('system-resumed', {}, null);
    writer.crashAfter(HOUR_MS);
    const { events } = await readStoryEvents(sourceOf(writer), spanOf(writer));
    expect(events.map(({ kind }) => kind)).toEqual([
      'panel-started',
      'started',
      'system-resumed',
      'crashed',
      'restart-scheduled',
    ]);
  });

  it('are read in pages, up to a bound, and what is covered says how far that reaches', async () => {
    const writer = new StoryWriter();
    writer.add('panel-started', {}, null);
    while (writer.events.length < 4000) {
      writer.up();
      writer.crashAfter(MINUTE_MS);
    }
    const source = sourceOf(writer, 5);
    const { events, covered } = await readStoryEvents(source, spanOf(writer));
    expect(source.asked.every(({ limit }) => limit === 200)).toBe(true);
    expect(events).toHaveLength(3000);
    expect(covered).toEqual({ from: events[0]!.at, to: writer.now + MINUTE_MS });
  });

  it('reach as far back as the history does, where all of them were read', async () => {
    const writer = new StoryWriter();
    writer.up();
    const { covered } = await readStoryEvents(sourceOf(writer, writer.now - HOUR_MS), spanOf(writer));
    expect(covered.from).toBe(writer.now - HOUR_MS);
  });
});

describe('the story', () => {
  const minuteOfDay = () => 0;
  /** Three crashes, and an edit after each. */
  function someEnds() {
    const writer = new StoryWriter();
    for (let crash = 0; crash < 3; crash += 1) {
      writer.up();
      writer.crashAfter(MINUTE_MS);
      writer.up();
      writer.pass(HOUR_MS).add('ended', { generation: writer.generation, by: 'configuration' });
    }
    return { events: writer.events, covered: { from: 0, to: writer.now } };
  }

  it('comes in pages, newest first, each end once', async () => {
    const input = someEnds();
    const ids: string[] = [];
    let hasMore = true;
    while (hasMore) {
      const before = ids.at(-1);
      const story = await restartStory(
        { limit: 4, ...(before !== undefined && { before }) },
        input,
        minuteOfDay,
      );
      expect(story).toMatchObject({ total: 6, troubles: 3 });
      ids.push(...story.ends.map(({ id }) => id));
      hasMore = story.hasMore;
    }
    expect(ids).toHaveLength(6);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it('can be of what went wrong alone, with the patterns of all', async () => {
    const story = await restartStory({ limit: 10, isTroubleOnly: true }, someEnds(), minuteOfDay);
    expect(story.ends.map(({ cause }) => cause)).toEqual(['crash', 'crash', 'crash']);
    expect(story.patterns.map(({ kind }) => kind)).toContain('configuration');
  });

  it('of many ends lets other work come in between', async () => {
    const writer = new StoryWriter();
    while (writer.events.length < 3000) {
      writer.up();
      writer.crashAfter(MINUTE_MS);
    }
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await restartStory(
      { limit: 50 },
      { events: writer.events, covered: { from: 0, to: writer.now } },
      minuteOfDay,
    );
    isDone = true;
    expect(turns).toBeGreaterThan(20);
  });
});
