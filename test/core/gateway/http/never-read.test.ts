import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatewayLimits } from '../../../../electron/core/gateway/http/limits.ts';
import { eventually } from '../../support/eventually.ts';
import {
  ask,
  createGatewayFixture,
  postOf,
  RawConnection,
  streamOf,
  type GatewayFixture,
} from '../gateway-fixture.ts';

const MIB = 1024 * 1024;
const CONNECTIONS = 12;
const STREAMS = 8;
const RESULT_BYTES = 8 * MIB;
/** More than two results and less than all. */
const UNREAD_BYTES = 20 * MIB;
/** Less than what may wait in all streams, a MiB each. */
const UNREAD_BYTES_OF_STREAMS = 4 * MIB;

let door: GatewayFixture;
let connections: RawConnection[];

const open = async (unreadBytes: number) => {
  door = await createGatewayFixture({ limits: { ...gatewayLimits, unreadBytes } });
};

beforeEach(() => {
  connections = [];
});

afterEach(async () => {
  for (const connection of connections) connection.close();
  await eventually(() => door.gateway.openReplies === 0);
});

/** Asks for what is never read. */
function askAndNeverRead(request: string): RawConnection {
  const connection = new RawConnection(door.port);
  connections.push(connection);
  connection.socket.pause();
  return connection.send(request);
}

describe('sockets that never read', () => {
  it('lose responses once too much waits for all, while another client that reads keeps what it asked for', async () => {
    await open(UNREAD_BYTES);
    const { token: other } = await door.clients.create({ name: 'other' });
    door.edge.answer = () => undefined;
    for (let count = 0; count < CONNECTIONS; count += 1) askAndNeverRead(postOf(door.port, door.token));
    const slow = askAndNeverRead(postOf(door.port, other));
    await eventually(() => door.edge.posts.length === CONNECTIONS + 1);
    const ofOther = door.edge.posts.find(({ request }) => request.client.name === 'other')!;
    const result = Buffer.alloc(RESULT_BYTES, 'a');
    ofOther.reply.end([result]);
    for (const { reply } of door.edge.posts) reply.end([result]);
    await eventually(() => door.gateway.openReplies <= 3);
    expect(door.gateway.openReplies).toBeGreaterThan(1);
    expect(door.refusals[0]).toEqual({ reason: 'unread', clientName: 'first' });
    expect(new Set(door.refusals.map(({ clientName }) => clientName))).toEqual(new Set(['first']));
    slow.socket.resume();
    await eventually(() => slow.text.length > RESULT_BYTES);
    door.edge.answer = undefined;
    expect((await ask({ port: door.port, token: other })).status).toBe(200);
  });

  it('lose streams in the same way, though none of them holds too much by itself', async () => {
    await open(UNREAD_BYTES_OF_STREAMS);
    for (let count = 0; count < STREAMS; count += 1) askAndNeverRead(streamOf(door.port, door.token));
    await eventually(() => door.edge.streams.length === STREAMS);
    const message = { jsonrpc: '2.0', method: 'x', params: { text: 'a'.repeat(256 * 1024) } };
    const isBounded = () => door.gateway.openReplies < STREAMS;
    await eventually(isBounded, () => {
      for (const { reply } of door.edge.streams) reply.stream(message);
    });
    expect(door.gateway.openReplies).toBeGreaterThan(1);
    expect(door.refusals[0]).toEqual({ reason: 'unread', clientName: 'first' });
  });
});
