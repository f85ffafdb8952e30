import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MessageThread, ReaderShare } from '../../../electron/core/mcp/message-thread.ts';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { nextTurn } from '../../../electron/core/next-turn.ts';
import type { ToThread } from '../../../electron/core/mcp/worker/questions.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { createFakeClock } from '../fake-clock.ts';

const WORKER = new URL('../../../electron/core/mcp/worker/message-worker.ts', import.meta.url);
const MIB = 1024 * 1024;
const VALUE = { ask: 'value' } as const;
const BOUNDS = {
  maxDepth: 8,
  maxEntries: 2,
  maxValues: 100,
  maxTextLength: 100,
  maxTotalLength: 1000,
  cutTexts: 'end',
} as const;

function realThread() {
  let started = 0;
  const startWorker = () => {
    started += 1;
    return new Worker(WORKER);
  };
  const thread = new MessageThread({ clock: systemClock, startWorker });
  onTestFinished(() => thread.dispose());
  return { thread, started: () => started };
}

const inParts = (text: string) => [Buffer.from(text.slice(0, 5)), Buffer.from(text.slice(5))];

describe('the thread of long messages', () => {
  it('answers what is asked about bytes that lie in parts', async () => {
    const { thread, started } = realThread();
    const message = { jsonrpc: '2.0', id: 7, result: { tools: [{ name: 'a' }, { name: 'b' }, 3], x: 'ä' } };
    const parts = inParts(JSON.stringify(message));
    expect(await thread.ask<'value'>(parts, VALUE)).toEqual({ is: 'value', value: message });
    expect(await thread.ask<'outline'>(parts, { ask: 'outline', wantsCopy: false })).toEqual({
      is: 'message',
      outline: { ...message, result: {} },
    });
    expect(await thread.ask<'bounded'>(parts, { ask: 'bounded', bounds: BOUNDS })).toEqual({
      value: { tools: [{ name: 'a' }, { name: 'b' }], x: 'ä' },
      loss: { characters: 0, values: 1, isAtLeast: false },
    });
    expect(await thread.ask<'list'>(parts, { ask: 'list', name: 'tools' })).toEqual({
      count: 3,
      nextCursor: undefined,
      items: ['{"name":"a"}', '{"name":"b"}', '3'],
    });
    expect(started()).toBe(1);
  });

  it.each([
    ['no JSON', '{"jsonrpc":', { is: 'not-json' }],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), { is: 'bad-utf8' }],
    ['nested too deeply', `${'['.repeat(501)}${']'.repeat(501)}`, { is: 'too-deep' }],
    ['deep enough', `${'['.repeat(500)}${']'.repeat(500)}`, { is: 'value' }],
    [
      'more values than anybody can use',
      `[${'0,'.repeat(100_000)}0]`,
      { is: 'too-many', valueCount: 100_002 },
    ],
  ])('says of bytes that they are %s', async (_what, bytes, found) => {
    const { thread } = realThread();
    expect(await thread.ask<'value'>([Buffer.from(bytes)], VALUE)).toMatchObject(found);
  });

  it.each(['[],', '{"],":"]"},', '0,'])(
    'parses only the beginning of what would fill its memory: %s',
    async (piece) => {
      const { thread, started } = realThread();
      const parts = [Buffer.from(`{"result":{"x":[${piece.repeat(2 * MIB)}0]}}`)];
      expect(await thread.ask<'value'>(parts, VALUE)).toMatchObject({ is: 'too-many' });
      const { value } = await thread.ask<'bounded'>(parts, { ask: 'bounded', bounds: BOUNDS });
      expect(value).toEqual({ x: JSON.parse(`[${piece}${piece.slice(0, -1)}]`) as unknown });
      await expect(thread.ask<'batch'>(parts, { ask: 'batch' })).rejects.toThrow('more than 2000000');
      expect(started()).toBe(1);
    },
  );

  it('parses nothing of what has no beginning that could be parsed', async () => {
    const { thread } = realThread();
    const asked = thread.ask<'bounded'>([Buffer.alloc(3 * MIB, '[')], { ask: 'bounded', bounds: BOUNDS });
    await expect(asked).rejects.toThrow('more than 2000000');
  });

  it('loses one message with a thread that ends over it, and reads the next in another', async () => {
    const { thread, workers } = fakeThread();
    const [lost, next] = [thread.ask<'value'>([], VALUE), thread.ask<'value'>([], VALUE)];
    workers[0]!.emit('error', new Error('out of memory'));
    await expect(lost).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' });
    workers[1]!.answer();
    expect(await next).toMatchObject({ is: 'value' });
  });

  it('gets a long message in pieces, one message at a time, and nothing that nobody waits for any more', async () => {
    const { thread, workers } = fakeThread();
    const first = thread.ask<'value'>([Buffer.alloc(2.5 * MIB)], VALUE);
    const over = new AbortController();
    const given = thread.ask<'value'>([Buffer.from('1')], VALUE, over.signal);
    const last = thread.ask<'value'>([Buffer.from('2')], VALUE);
    over.abort(new Error('over'));
    await expect.poll(() => workers[0]!.pieces).toEqual([MIB, MIB, MIB / 2]);
    workers[0]!.answer();
    await first;
    await expect(given).rejects.toThrow('over');
    expect(workers[0]!.pieces).toEqual([MIB, MIB, MIB / 2, 1]);
    workers[0]!.answer();
    await last;
  });

  it('is ended when nobody has asked for a minute, and begun again by the next question', async () => {
    const { thread, workers, clock } = fakeThread();
    for (const index of [0, 1]) {
      const asked = thread.ask<'value'>([Buffer.from('1')], VALUE);
      workers[index]!.answer();
      await asked;
      await clock.advance(59_000);
      expect(workers[index]!.isEnded).toBe(false);
      await clock.advance(2000);
      expect(workers[index]!.isEnded).toBe(true);
    }
  });

  it('answers nobody any more once it is disposed, and leaves no timer', async () => {
    const { thread, workers, clock } = fakeThread();
    const asked = [thread.ask<'value'>([], VALUE), thread.ask<'value'>([], VALUE)];
    await thread.dispose();
    for (const one of [...asked, thread.ask<'value'>([], VALUE)])
      await expect(one).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' });
    expect([workers.length, workers[0]!.isEnded, clock.pending]).toEqual([1, true, 0]);
  });
});

it('one server has a share of the thread, which a flood of long messages exceeds', async () => {
  const answers = Array.from({ length: 5 }, () => createDeferred<never>());
  let asked = 0;
  const share = new ReaderShare({ ask: () => answers[asked++]!.promise });
  const ask = () => share.ask<'value'>([Buffer.alloc(16 * MIB)], VALUE);
  const waiting = [ask(), ask(), ask(), ask()];
  await expect(ask()).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' });
  answers[0]!.reject(new Error('read'));
  await expect(waiting[0]).rejects.toThrow('read');
  void ask();
  await nextTurn();
  expect(asked).toBe(5);
});

class FakeWorker extends EventEmitter {
  readonly pieces: number[] = [];
  isAsked = false;
  isEnded = false;

  postMessage(message: ToThread): void {
    if ('piece' in message) this.pieces.push(message.piece.length);
    else this.isAsked = true;
  }
  answer(): void {
    this.isAsked = false;
    this.emit('message', { answer: { is: 'value', value: 1 } });
  }
  terminate(): Promise<void> {
    this.isEnded = true;
    return Promise.resolve();
  }
}

function fakeThread() {
  const clock = createFakeClock();
  const workers: FakeWorker[] = [];
  const startWorker = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  const thread = new MessageThread({ clock, startWorker });
  onTestFinished(() => thread.dispose());
  return { thread, workers, clock };
}
