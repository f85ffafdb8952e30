import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { agentsBy, EngineApi } from '../../../../electron/core/platform/containers/engine-api.ts';
import { PodPort } from '../../../../electron/core/platform/kubernetes/pod-port.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';

/** A kubelet that does with each connection what the test says. */
async function openPort(take: (peer: WebSocket) => void) {
  const http = createServer();
  const isMade = ({ req }: { req: IncomingMessage }) => !req.url?.includes('secret');
  const sockets = new WebSocketServer({ server: http, verifyClient: isMade });
  sockets.on('connection', take);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const agents = agentsBy(() => connect(port, '127.0.0.1'));
  const api = new EngineApi(agents, systemClock);
  const opened: PodPort[] = [];
  onTestFinished(() => {
    for (const one of opened) one.destroy();
    api.cut();
    for (const peer of sockets.clients) peer.terminate();
    http.close();
  });
  return (path = '/pods/one') => {
    const toError = (error: unknown) => new Error(`not made: ${(error as Error).message}`);
    const made = new PodPort({ api, clock: systemClock, path, port: 8080, toError });
    opened.push(made);
    return made;
  };
}

const port = Buffer.of(0x90, 0x1f);
const message = (channel: number, ...parts: readonly (Buffer | string)[]) =>
  Buffer.concat([Buffer.of(channel), ...parts.map((part) => Buffer.from(part))]);
/** Why a connection has failed. */
const failed = (made: PodPort) =>
  new Promise<NodeJS.ErrnoException>((resolve) => void made.on('error', resolve).resume());

describe('a connection to a port of a pod', () => {
  it('drops the port with which a channel begins, also where data follow in the same message', async () => {
    const apart = await openPort((peer) => {
      for (const channel of [0, 1]) peer.send(message(channel, port));
      for (const part of ['one ', 'two']) peer.send(message(0, part));
      peer.close();
    });
    expect(String(await buffer(apart()))).toBe('one two');
    const together = await openPort((peer) => {
      peer.send(message(0, port, 'one'));
      peer.close();
    });
    expect(String(await buffer(together()))).toBe('one');
  });

  it('sends on the channel of data, in parts that a cluster takes', async () => {
    const parts: Buffer[] = [];
    const long = Buffer.alloc(100_000, 'x');
    const open = await openPort((peer) => {
      peer.on('message', (data: Buffer) => {
        parts.push(data);
        if (parts.reduce((sum, { length }) => sum + length - 1, 0) === long.length) peer.close();
      });
    });
    const made = open();
    // Some versions of Node.js write nothing at the end of each request.
    made.write('');
    made.write(long);
    await buffer(made);
    expect(parts.every((part) => part[0] === 0 && part.length <= 32 * 1024 + 1)).toBe(true);
    expect(Buffer.concat(parts.map((part) => part.subarray(1))).equals(long)).toBe(true);
  });

  it('tells a port on which nothing listens from a connection that broke', async () => {
    const refused = await openPort((peer) => {
      for (const channel of [0, 1]) peer.send(message(channel, port));
      peer.send(message(1, 'error forwarding port 8080: connect: connection refused'));
      peer.close();
    });
    expect(await failed(refused())).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' });
    const broken = await openPort((peer) => {
      peer.send(message(0, port, 'begun'));
      peer.send(message(1, port, 'connection refused by a peer'));
      peer.close();
    });
    expect(await failed(broken())).toMatchObject({ code: 'ECONNRESET', syscall: 'read' });
  });

  it('explains that it was not made', async () => {
    const open = await openPort(() => undefined);
    expect((await failed(open('/pods/secret'))).message).toMatch(/^not made: /);
  });

  it('tells that nobody has used it for the time that was set', async () => {
    const open = await openPort(() => undefined);
    const made = open();
    const timeout = new Promise((resolve) => void made.once('timeout', resolve));
    made.setTimeout(10_000);
    made.setTimeout(1);
    await timeout;
  });
});
