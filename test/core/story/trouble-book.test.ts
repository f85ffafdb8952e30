import { describe, expect, it } from 'vitest';
import { TroubleBook } from '../../../electron/core/story/trouble-book.ts';
import { MemorySource } from '../../../electron/core/store/memory-source.ts';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { StateKind } from '../../../shared/server-states.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, StoryWriter } from './story-builders.ts';

const nothing = () => [];

/** A book over what the writer has written so far; what it writes later has to be told. */
async function openBook(writer: StoryWriter, names = ['memory']) {
  const past = [...writer.events];
  const options = { samples: nothing, callMinutes: nothing, clientCallMinutes: nothing, servers: nothing };
  const source = new MemorySource({ ...options, events: () => past });
  const read: string[] = [];
  let allRead = () => {};
  const done = new Promise<void>((resolve) => (allRead = resolve));
  const book = new TroubleBook({
    source,
    wallClock: { epochMs: () => writer.now },
    onRead: (name) => {
      read.push(name);
      if (read.length === names.length) allRead();
    },
  });
  book.follow(names);
  await done;
  const of = (kind: StateKind = 'running', name = 'memory') =>
    book.of({ name, state: { kind }, restartAttempt: 0 });
  return { book, of };
}

/** A launch of the panel that quits in order. */
function relaunch(writer: StoryWriter): void {
  writer.add('panel-quit', {}, null);
  writer.generation = 0;
  writer.pass(HOUR_MS).add('panel-started', {}, null);
}

/** Tries that fail until it is given up. */
function giveUp(writer: StoryWriter): PanelEvent {
  const first = writer.add('start-failed', { code: 'CRASHED' });
  writer.pass(1000).add('restart-scheduled', { cause: 'start' });
  writer.pass(1000).add('start-failed', { code: 'CRASHED' });
  writer.add('gave-up', { cause: 'start', attempts: 1 });
  return first;
}

describe('the book of troubles', () => {
  it('counts unplanned ends of earlier launches together with those that come', async () => {
    const writer = new StoryWriter();
    writer.up();
    writer.crashAfter(HOUR_MS);
    writer.pass(1000).up(undefined, 'restarted');
    writer.limitAfter(HOUR_MS);
    writer.pass(1000).up(undefined, 'restarted');
    relaunch(writer);
    writer.up();
    const { book, of } = await openBook(writer);
    expect(of()).toStrictEqual({ restarts24h: 2 });
    const third = writer.crashAfter(HOUR_MS);
    book.eventHappened(third);
    expect(of()).toStrictEqual({
      restarts24h: 3,
      unstable: { ends24h: 3, ends7d: 3, since: third.at, lastEndAt: third.at },
    });
    writer.pass(DAY_MS);
    expect(of()).toStrictEqual({});
  });

  it('counts no end that somebody asked for, no failed start, and none of another server', async () => {
    const writer = new StoryWriter();
    for (let day = 0; day < 6; day += 1) {
      writer.up();
      writer.pass(HOUR_MS).add('ended', { generation: writer.generation, by: 'person' });
      writer.up();
      writer.pass(HOUR_MS).add('stopped', { generation: writer.generation, by: 'person' });
      giveUp(writer);
      writer.add('crashed', { generation: 1 }, 'another');
    }
    const { of } = await openBook(writer);
    expect(of()).toStrictEqual({});
  });

  it('misses no event and counts none twice that comes while the past is read', async () => {
    const writer = new StoryWriter();
    writer.up();
    writer.crashAfter(HOUR_MS);
    writer.up();
    const past = [...writer.events];
    const both = writer.crashAfter(HOUR_MS);
    let answer = () => {};
    const gate = new Promise<void>((resolve) => (answer = resolve));
    const source = {
      events: async ({ server }: { readonly server?: string | null | undefined }) => {
        await gate;
        return { events: server === null ? [] : [...past, both], hasMore: false, total: 0 };
      },
      state: async () => ({ keptIn: 'memory' as const }),
    };
    let isRead = () => {};
    const read = new Promise<void>((resolve) => (isRead = resolve));
    const book = new TroubleBook({
      source,
      wallClock: { epochMs: () => writer.now },
      onRead: () => isRead(),
    });
    book.follow(['memory']);
    book.eventHappened(both);
    book.eventHappened(writer.up());
    book.eventHappened(writer.crashAfter(HOUR_MS));
    answer();
    await read;
    const server = { name: 'memory', state: { kind: 'running' as const }, restartAttempt: 0 };
    expect(book.of(server).unstable?.ends24h).toBe(3);
  });

  it('tells since when a server fails, over all tries and launches', async () => {
    const writer = new StoryWriter();
    writer.up();
    writer.pass(HOUR_MS).add('stopped', { generation: writer.generation, by: 'person' });
    const first = giveUp(writer);
    for (let day = 0; day < 3; day += 1) {
      writer.pass(DAY_MS);
      relaunch(writer);
      giveUp(writer);
    }
    const { of } = await openBook(writer);
    expect(of('failed')).toStrictEqual({ failingSince: first.at });
    expect(of('running')).toStrictEqual({});
  });

  it('has a good run end a failure, and a stop by a person', async () => {
    const writer = new StoryWriter();
    giveUp(writer);
    writer.up();
    const end = writer.crashAfter(2 * MINUTE_MS);
    writer.up();
    writer.crashAfter(1000);
    const { book, of } = await openBook(writer);
    expect(of('failed').failingSince).toBe(end.at);
    book.eventHappened(writer.add('stopped', { by: 'person' }));
    expect(of('failed')).toStrictEqual({ restarts24h: 2 });
  });

  it('forgets a server that is removed', async () => {
    const writer = new StoryWriter();
    for (let run = 0; run < 3; run += 1) {
      writer.up();
      writer.crashAfter(HOUR_MS);
    }
    const { book, of } = await openBook(writer);
    expect(of().unstable?.ends7d).toBe(3);
    book.follow([]);
    expect(of()).toStrictEqual({});
  });
});
