import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { CurrentTask } from '../../../electron/core/current-task.ts';
import type { ListeningStatus } from '../../../electron/core/gateway/gateway.ts';
import { createFakeClock } from '../fake-clock.ts';
import { eventually } from '../support/eventually.ts';
import {
  ask,
  createGatewayFixture,
  ping,
  RawConnection,
  PATH,
  type GatewayFixture,
} from './gateway-fixture.ts';
import { skipWhen } from '../../support/skip-on.ts';

const doors: GatewayFixture[] = [];
const others: Server[] = [];
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const withIpv6 = skipWhen(!hasIpv6, 'this machine has no loopback of IPv6');

afterEach(async () => {
  await Promise.all(doors.splice(0).map((door) => door.dispose()));
  for (const other of others.splice(0)) other.close();
});

async function open(...options: Parameters<typeof createGatewayFixture>): Promise<GatewayFixture> {
  const door = await createGatewayFixture(...options);
  doors.push(door);
  return door;
}

/** Another program on a port; 0 for any. */
async function otherProgram(port = 0, host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  others.push(server);
  server.listen({ port, host, ipv6Only: true });
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? address!.port : 0;
}

async function freePort(): Promise<number> {
  const port = await otherProgram();
  others.pop()!.close();
  return port;
}

describe('the endpoint', () => {
  it.each(['a message', 'a page'])('marks what it does for a client: %s', async (what) => {
    const clock = createFakeClock();
    const currentTask = new CurrentTask(clock);
    const work = () => clock.jump(300);
    const pages = () => ({ healthz: () => ({ done: work() }) });
    const { edge, port, token } = await open({ currentTask, pages });
    edge.answer = ({ reply }) => {
      work();
      reply.status(202);
    };
    if (what === 'a message') await ask({ port, token });
    else await ask({ port, method: 'GET', path: '/healthz' });
    expect(currentTask.takeLongest()).toEqual({ task: 'serve-clients', instance: undefined, tookMs: 300 });
  });

  it('answers on the loopback of IPv6 too, on the same port', withIpv6, async () => {
    const { port, token } = await open();
    const connection = new RawConnection(port, '::1');
    const head = `GET /none HTTP/1.1\r\nHost: [::1]:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    expect(await connection.send(head).answered()).toBe(404);
    connection.close();
  });

  it('names the port that is taken and the next free one, and listens as soon as the port is free', async () => {
    const clock = createFakeClock();
    const taken = await otherProgram();
    const told: ListeningStatus[] = [];
    const door = await open({
      clock,
      settings: () => ({ enabled: true, port: taken }),
      onStatus: (status) => told.push(status),
    });
    const { error, ...rest } = door.gateway.status;
    expect(rest).toEqual({ isListening: false, url: `http://127.0.0.1:${taken}`, port: taken });
    const data = error!.data!;
    expect([error!.code, data.port]).toEqual(['PORT_UNAVAILABLE', taken]);
    expect(data.freePort).toBeGreaterThan(taken);
    expect(error!.message).toContain(String(taken));
    expect(error!.remedy).toContain(String(data.freePort));
    await otherProgram(data.freePort);
    others[0]!.close();
    clock.tick(5000);
    await eventually(() => door.gateway.status.isListening);
    expect(door.gateway.status).toEqual({ isListening: true, url: `http://127.0.0.1:${taken}`, port: taken });
    expect(told.map(({ isListening }) => isListening)).toEqual([false, true]);
  });

  it('does not share its port with another program on the other loopback', withIpv6, async () => {
    const taken = await otherProgram(0, '::1');
    const { gateway } = await open({ settings: () => ({ enabled: true, port: taken }) });
    expect(gateway.status).toMatchObject({ isListening: false, error: { code: 'PORT_UNAVAILABLE' } });
  });

  it('moves to another port and off and on again with the settings, without a restart', async () => {
    const first = await freePort();
    let settings = { enabled: true, port: first };
    const { gateway, token } = await open({ settings: () => settings });
    const status = async (port: number) =>
      ask({ port, token }).then(
        (answered) => answered.status,
        () => 'no connection',
      );
    expect(await status(first)).toBe(200);
    const second = await freePort();
    settings = { enabled: true, port: second };
    await gateway.settingsChanged();
    expect([await status(first), await status(second)]).toEqual(['no connection', 200]);
    settings = { enabled: false, port: second };
    await gateway.settingsChanged();
    expect([gateway.status.isListening, await status(second)]).toEqual([false, 'no connection']);
    settings = { enabled: true, port: second };
    await gateway.settingsChanged();
    expect(await status(second)).toBe(200);
  });

  it('leaves open streams alone when other settings change', async () => {
    const { gateway, port, token, edge } = await open();
    const stream = new RawConnection(port);
    stream.send(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await stream.until(() => edge.streams.length === 1);
    await gateway.settingsChanged();
    expect(edge.streams[0]!.reply.stream({ still: true })).toBe(true);
    await stream.until(() => stream.text.includes('still'));
    await gateway.stop();
    await stream.until(() => stream.isClosed);
    expect(gateway.openReplies).toBe(0);
  });

  it('keeps a connection for the next request', async () => {
    const { port, token } = await open();
    const connection = new RawConnection(port);
    const head = `POST ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    const one = `${head}Content-Type: application/json\r\nContent-Length: 40\r\n\r\n${ping()}`;
    for (let count = 1; count <= 3; count += 1) {
      connection.send(one);
      await connection.until(() => connection.text.split('HTTP/1.1 200').length - 1 === count);
    }
    expect(connection.text).toMatch(/Keep-Alive: timeout=(6[5-9]|7\d)/);
    connection.close();
  });
});
