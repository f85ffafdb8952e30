import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayReply } from '../../../../electron/core/gateway/types.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createGatewayFixture,
  postOf,
  RawConnection,
  streamOf,
  type GatewayFixture,
} from '../gateway-fixture.ts';
import { skipOn } from '../../../support/skip-on.ts';

const MINUTE_MS = 60_000;
const message = { jsonrpc: '2.0', method: 'notifications/x' };

let clock: FakeClock;
let door: GatewayFixture;
let connection: RawConnection;

beforeEach(async () => {
  clock = createFakeClock();
  door = await createGatewayFixture({ clock });
  connection = new RawConnection(door.port);
});

afterEach(async () => {
  connection.close();
  await eventually(() => door.gateway.openReplies === 0);
  await door.gateway.stop();
  expect(clock.pending).toBe(0);
});

/** A POST whose answer is in the hands of the test. */
async function openPost(): Promise<GatewayReply> {
  door.edge.answer = () => undefined;
  connection.send(postOf(door.port, door.token));
  await eventually(() => door.edge.posts.length === 1);
  return door.edge.posts[0]!.reply;
}

async function openStream(): Promise<GatewayReply> {
  connection.send(streamOf(door.port, door.token));
  await eventually(() => connection.text.includes(':\n\n'));
  return door.edge.streams[0]!.reply;
}

const comments = () => connection.text.split('\r\n:\n\n').length - 1;
const received = (text: string) => eventually(() => connection.text.includes(text));

const fullSocket = skipOn('wine', 'a socket of wine takes 32 MiB that nobody reads');

describe('an answer', () => {
  it('is JSON with its length and the headers that were set, while nothing went before it', async () => {
    const reply = await openPost();
    reply.header('Mcp-Session-Id', 'abc');
    reply.end({ text: 'ü' });
    await received('}');
    expect(connection.text).toMatch(/^HTTP\/1\.1 200 OK\r\nMcp-Session-Id: abc\r\n/);
    expect(connection.text).toContain('Content-Type: application/json\r\nContent-Length: 13\r\n');
    expect(Buffer.from(connection.text, 'latin1').toString()).toMatch(/\r\n\r\n\{"text":"ü"\}$/);
    expect(reply.isOpen).toBe(false);
  });

  it('in parts is written as it is', async () => {
    const reply = await openPost();
    reply.end([Buffer.from('{"a":'), Buffer.from('1\n}')]);
    await received('}');
    expect(connection.text).toContain('Content-Length: 8\r\n');
    expect(connection.text.endsWith('{"a":1\n}')).toBe(true);
  });

  it(
    'tells when nothing reads its parts any more, and never if its client left before',
    fullSocket,
    async () => {
      const told: string[] = [];
      const reply = await openPost();
      reply.end([Buffer.from('{}')], () => told.push('written'));
      expect(told).toEqual([]);
      await eventually(() => told.length === 1);
      expect(connection.text.endsWith('{}')).toBe(true);
      door.edge.posts.length = 0;
      const other = await openPost();
      other.end([Buffer.alloc(32 * 1024 * 1024)], () => told.push('left'));
      connection.close();
      await eventually(() => door.gateway.openReplies === 0);
      expect(told).toEqual(['written']);
    },
  );

  it('ends an event stream when something went before it, and its line breaks do not end its event', async () => {
    const reply = await openPost();
    expect(reply.stream(message)).toBe(true);
    reply.end([Buffer.from('{"a":\n'), Buffer.from('1\r}')]);
    await received('0\r\n\r\n');
    expect(connection.text).toContain('Content-Type: text/event-stream\r\n');
    expect(connection.text).toContain(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    const [, last] = connection.text.split('data: ').slice(-2);
    expect(last!.replaceAll(/\r\n[0-9a-f]+\r\n/g, '')).toMatch(/^\{"a": 1 \}\n\n/);
  });

  it('and what is told in one go before it leave in one write, in their order', async () => {
    const reply = await openPost();
    const told = [1, 2, 3].map((progress) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      progress,
    }));
    for (const each of told) expect(reply.stream(each)).toBe(true);
    reply.end({ last: true });
    await received('0\r\n\r\n');
    const events = [...told, { last: true }].map(
      (each) => `event: message\ndata: ${JSON.stringify(each)}\n\n`,
    );
    const [, body = ''] = connection.text.split('\r\n\r\n');
    expect(body).toBe(`${events.join('').length.toString(16)}\r\n${events.join('')}\r\n0`);
  });

  it('is 202 without a body for what has none', async () => {
    const reply = await openPost();
    reply.status(202);
    await received('\r\n\r\n');
    expect(connection.text).toMatch(/^HTTP\/1\.1 202 Accepted\r\nContent-Length: 0\r\n/);
  });

  it('is sent once: what comes after it is lost, and harms nothing', async () => {
    const reply = await openPost();
    reply.end({ first: true });
    reply.end({ second: true });
    reply.status(500, {});
    reply.header('X', 'y');
    reply.open();
    reply.close();
    expect(reply.stream(message)).toBe(false);
    await received('first');
    expect(connection.text).not.toContain('second');
    await eventually(() => door.gateway.openReplies === 0);
    expect(door.faults).toEqual([]);
  });

  it('becomes an event stream after ten seconds of waiting, with a comment then and every fifteen seconds', async () => {
    const reply = await openPost();
    await clock.advance(9999);
    expect(connection.text).toBe('');
    await clock.advance(1);
    await eventually(() => comments() === 1);
    expect(connection.text).toContain('Content-Type: text/event-stream\r\n');
    for (const expected of [2, 3, 4]) {
      await clock.advance(15_000);
      await eventually(() => connection.text.split(':\n\n').length - 1 === expected);
    }
    reply.end({ late: true });
    await received('data: {"late":true}\n\n');
  });

  it('with a status that comes too late for one goes as an event', async () => {
    const reply = await openPost();
    await clock.advance(10_000);
    reply.status(404, { error: 'gone' });
    await received('data: {"error":"gone"}\n\n');
  });
});

describe('a stream', () => {
  it('lives for ten minutes in which nothing happens, and takes a message then', async () => {
    const reply = await openStream();
    for (let minute = 0; minute < 10; minute += 1) await clock.advance(MINUTE_MS);
    expect(reply.isOpen).toBe(true);
    expect(reply.stream(message)).toBe(true);
    await received('notifications/x');
    expect(connection.text.split(':\n\n').length - 1).toBeGreaterThan(10);
  });

  it('refuses what its client is too far behind for, and is broken off after a minute in which nothing was taken', async () => {
    const reply = await openStream();
    connection.socket.pause();
    const long = { jsonrpc: '2.0', method: 'x', params: { text: 'a'.repeat(100_000) } };
    let gone = false;
    reply.onGone(() => (gone = true));
    // The system takes a part of it until its own buffers are full, too.
    let sent = 0;
    for (let step = 0; step < 40 && reply.isOpen; step += 1) {
      while (reply.stream(long)) sent += 1;
      expect(reply.isOpen).toBe(true);
      await clock.advance(15_000);
    }
    expect(sent * 100_000).toBeLessThan(64 * 1024 * 1024);
    expect([reply.isOpen, gone]).toEqual([false, true]);
    expect(reply.stream(message)).toBe(false);
    connection.socket.resume();
  });

  it('lives while its client takes something, however fast it is refilled', async () => {
    const reply = await openStream();
    const long = { jsonrpc: '2.0', method: 'x', params: { text: 'a'.repeat(100_000) } };
    for (let step = 0; step < 12; step += 1) {
      connection.text = '';
      while (reply.stream(long));
      await received('aaa');
      while (reply.stream(long));
      await clock.advance(15_000);
    }
    expect(reply.isOpen).toBe(true);
  });

  it('takes one message that is longer than what may wait', async () => {
    const reply = await openStream();
    expect(reply.stream({ text: 'a'.repeat(3 * 1024 * 1024) })).toBe(true);
    await eventually(() => connection.text.endsWith('\n\n\r\n'));
  });

  it('says when its client is gone, once, and not when we ended it', async () => {
    const gone: string[] = [];
    const stream = await openStream();
    stream.onGone(() => gone.push('stream'));
    stream.onGone(() => gone.push('undone'))();
    connection.close();
    await eventually(() => !stream.isOpen);
    stream.onGone(() => gone.push('later'));
    connection = new RawConnection(door.port);
    const post = await openPost();
    post.onGone(() => gone.push('post'));
    post.end({});
    await received('{}');
    connection.close();
    await eventually(() => door.gateway.openReplies === 0);
    expect(gone).toEqual(['stream', 'later']);
  });

  it('ends without an answer when it is closed', async () => {
    const reply = await openStream();
    reply.close();
    await received('0\r\n\r\n');
  });
});

describe('a fault of the edge', () => {
  it('is 500 for the request, which learns nothing else, and is told', async () => {
    door.edge.answer = () => {
      throw new Error('secret');
    };
    connection.send(postOf(door.port, door.token));
    expect(await connection.answered()).toBe(500);
    await received('}}');
    expect(connection.text).not.toContain('secret');
    expect(door.faults).toEqual([new Error('secret')]);
  });
});
