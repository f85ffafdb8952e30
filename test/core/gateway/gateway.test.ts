import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CurrentTask } from '../../../electron/core/current-task.ts';
import type { ListeningStatus } from '../../../electron/core/gateway/gateway.ts';
import { createFakeClock } from '../fake-clock.ts';
import { freePort } from '../../fixtures/gateways/free-port.ts';
import { eventually } from '../support/eventually.ts';
import { ask, createGatewayFixture, postOf, RawConnection, streamOf } from './gateway-fixture.ts';
import { skipWhen } from '../../support/skip-on.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const withIpv6 = skipWhen(!hasIpv6, 'this machine has no loopback of IPv6');

/** Another program on a port; 0 for any. */
async function otherProgram(port = 0, host = '127.0.0.1') {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen({ port, host, ipv6Only: true });
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

describe('the endpoint', () => {
  it.each(['a message', 'a page'])('marks what it does for a client: %s', async (what) => {
    const clock = createFakeClock();
    const currentTask = new CurrentTask(clock);
    const work = () => clock.jump(300);
    const pages = () => ({ healthz: () => ({ done: work() }) });
    const { edge, port, token } = await createGatewayFixture({ currentTask, pages });
    edge.answer = ({ reply }) => {
      work();
      reply.status(202);
    };
    if (what === 'a message') await ask({ port, token });
    else await ask({ port, method: 'GET', path: '/healthz' });
    expect(currentTask.takeLongest()).toEqual({ task: 'serve-clients', instance: undefined, tookMs: 300 });
  });

  it('answers on the loopback of IPv6 too, on the same port', withIpv6, async () => {
    const { port, token } = await createGatewayFixture();
    const connection = new RawConnection(port, '::1');
    const head = `GET /none HTTP/1.1\r\nHost: [::1]:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    expect(await connection.send(head).answered()).toBe(404);
    connection.close();
  });

  it('names the port that is taken and the next free one, and listens as soon as the port is free', async () => {
    const clock = createFakeClock();
    const { port: taken, close: leave } = await otherProgram();
    const told: ListeningStatus[] = [];
    const door = await createGatewayFixture({
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
    leave();
    clock.tick(5000);
    await eventually(() => door.gateway.status.isListening);
    expect(door.gateway.status).toEqual({ isListening: true, url: `http://127.0.0.1:${taken}`, port: taken });
    expect(told.map(({ isListening }) => isListening)).toEqual([false, true]);
  });

  it('does not share its port with another program on the other loopback', withIpv6, async () => {
    const { port: taken } = await otherProgram(0, '::1');
    const { gateway } = await createGatewayFixture({ settings: () => ({ enabled: true, port: taken }) });
    expect(gateway.status).toMatchObject({ isListening: false, error: { code: 'PORT_UNAVAILABLE' } });
  });

  it('moves to another port and off and on again with the settings, without a restart', async () => {
    const first = await freePort();
    let settings = { enabled: true, port: first };
    const { gateway, token } = await createGatewayFixture({ settings: () => settings });
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
    const { gateway, port, token, edge } = await createGatewayFixture();
    const stream = new RawConnection(port);
    stream.send(streamOf(port, token));
    await stream.until(() => edge.streams.length === 1);
    await gateway.settingsChanged();
    expect(edge.streams[0]!.reply.stream({ still: true })).toBe(true);
    await stream.until(() => stream.text.includes('still'));
    await gateway.stop();
    await stream.until(() => stream.isClosed);
    expect(gateway.openReplies).toBe(0);
  });

  it('keeps a connection for the next request', async () => {
    const { port, token } = await createGatewayFixture();
    const connection = new RawConnection(port);
    for (let count = 1; count <= 3; count += 1) {
      connection.send(postOf(port, token));
      await connection.until(() => connection.text.split('HTTP/1.1 200').length - 1 === count);
    }
    expect(connection.text).toMatch(/Keep-Alive: timeout=(6[5-9]|7\d)/);
    connection.close();
  });
});
