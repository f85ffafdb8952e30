import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpClient } from '../../../../electron/core/supervisor/remote/http-client.ts';
import type { TlsTrust } from '../../../../electron/core/supervisor/remote/tls-trust.ts';
import { networkCauseOf } from '../../../../electron/core/supervisor/remote/remote-errors.ts';
import { waitUntil } from '../../../fixtures/fixture-server.ts';
import { refuse, serve } from './test-server.ts';

const CHECKED: TlsTrust = { verify: true, extraRoots: [] };

function clientOf(tls = CHECKED) {
  const client = createHttpClient({ tls });
  onTestFinished(() => client.close());
  return client;
}

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as NodeJS.ErrnoException,
  );

describe('createHttpClient', () => {
  it('sends what fetch sends, and gives back what came', async () => {
    const server = await serve(
      (_request, response, body) =>
        void response
          .writeHead(201, 'Made', { 'x-one': ['1', '2'], 'content-type': 'text/plain' })
          .end(`got ${body}`),
    );
    const response = await clientOf().fetch(server.url, {
      method: 'POST',
      body: 'größer',
      headers: { 'x-a': 'b' },
    });
    expect([response.status, response.statusText, response.headers.get('x-one')]).toEqual([
      201,
      'Made',
      '1, 2',
    ]);
    expect(await response.text()).toBe('got größer');
    expect(server.seen[0]?.headers).toMatchObject({
      'x-a': 'b',
      'accept-encoding': 'identity',
      'content-length': '8',
    });
  });

  it.each([204, 205, 304])('gives no body with HTTP %d', async (status) => {
    const server = await serve(refuse(status));
    const response = await clientOf().fetch(server.url);
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it('follows no redirect', async () => {
    const server = await serve(refuse(302, { location: '/elsewhere' }));
    const response = await clientOf().fetch(server.url);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/elsewhere']);
    expect(server.seen).toHaveLength(1);
  });

  it('uses a connection again, also after a response that nobody read', async () => {
    const ports = new Set<number | undefined>();
    const server = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(202).end('ignored');
    });
    const { fetch } = clientOf();
    for (let request = 0; request < 5; request += 1) {
      const response = await fetch(server.url, { method: 'POST', body: '{}' });
      await response.body?.cancel();
      await waitUntil(() => server.seen.length === request + 1, 'the request');
    }
    expect(ports.size).toBeLessThan(5);
  });

  it('ends the connection of a long response that nobody reads', async () => {
    let hasClosed = false;
    const server = await serve((_request, response) => {
      response.on('close', () => (hasClosed = true));
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = () => {
        while (!hasClosed && response.write('x'.repeat(16_384)));
        if (!hasClosed) response.once('drain', more);
      };
      more();
    });
    const response = await clientOf().fetch(server.url);
    await response.body?.cancel();
    await waitUntil(() => hasClosed, 'the end of the connection');
  });

  it('reads no faster than its reader', async () => {
    let writtenBytes = 0;
    const server = await serve((_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (writtenBytes < 64 * 1024 * 1024 && response.write(Buffer.alloc(65_536)))
          writtenBytes += 65_536;
        response.once('drain', more);
      };
      more();
    });
    const response = await clientOf().fetch(server.url);
    const reader = response.body!.getReader();
    await reader.read();
    let before = -1;
    await waitUntil(() => {
      const isStill = before === writtenBytes;
      before = writtenBytes;
      return isStill;
    }, 'the server to wait');
    expect(writtenBytes).toBeLessThan(32 * 1024 * 1024);
    await reader.cancel();
  });

  it('rejects a request that is called off, before, during and after its answer', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/mcp?stream') response.writeHead(200).write('part');
    });
    const { fetch } = clientOf();
    const before = new AbortController();
    before.abort();
    expect((await reasonOf(fetch(server.url, { signal: before.signal })))?.name).toBe('AbortError');
    expect(server.seen).toEqual([]);

    const during = new AbortController();
    const asked = fetch(server.url, { signal: during.signal });
    await waitUntil(() => server.seen.length === 1, 'the request');
    during.abort();
    expect((await reasonOf(asked))?.name).toBe('AbortError');

    const after = new AbortController();
    const response = await fetch(`${server.url}?stream`, { signal: after.signal });
    after.abort();
    expect((await reasonOf(response.text()))?.name).toBe('AbortError');
  });

  it.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['closes it without a word', (socket: Socket) => socket.end()],
  ])('rejects when the server %s', async (_how, end) => {
    const server = await serve((request) => void end(request.socket));
    const error = await reasonOf(clientOf().fetch(server.url, { method: 'POST', body: '{}' }));
    expect(networkCauseOf(error)).toMatchObject({ code: 'ECONNRESET', isSent: true, isRepeatable: true });
  });

  it('fails the body when the response is cut off', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('part', () => response.destroy());
    });
    const response = await clientOf().fetch(server.url);
    expect(networkCauseOf(await reasonOf(response.text()))).toMatchObject({ code: 'ECONNRESET' });
  });

  it('rejects a status that no response can have', async () => {
    const server = await serve(
      (request) => void request.socket.end('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'),
    );
    expect(await reasonOf(clientOf().fetch(server.url))).toBeInstanceOf(RangeError);
  });

  it('ends everything under way when it is closed', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/mcp?stream') response.writeHead(200).write('part');
    });
    const client = createHttpClient({ tls: CHECKED });
    const response = await client.fetch(`${server.url}?stream`);
    const waiting = client.fetch(server.url);
    waiting.catch(() => undefined);
    await waitUntil(() => server.seen.length === 2, 'both requests');
    client.close();
    expect(networkCauseOf(await reasonOf(waiting))).toBeDefined();
    expect(networkCauseOf(await reasonOf(response.text()))).toBeDefined();
  });

  it('says when the other side does not speak TLS', async () => {
    const server = await serve(refuse(200));
    const error = await reasonOf(clientOf().fetch(server.url.replace('http:', 'https:')));
    expect(networkCauseOf(error)).toMatchObject({ isSent: false, isRepeatable: false });
  });
});

describe('networkCauseOf', () => {
  const error = (code: string, syscall?: string) => Object.assign(new Error('x'), { code, syscall });

  it.each([
    [error('ECONNREFUSED', 'connect'), { code: 'ECONNREFUSED', isSent: false, isRepeatable: true }],
    [error('ENOTFOUND', 'getaddrinfo'), { code: 'ENOTFOUND', isSent: false, isRepeatable: true }],
    [error('ETIMEDOUT', 'connect'), { code: 'ETIMEDOUT', isSent: false, isRepeatable: true }],
    [error('ETIMEDOUT', 'read'), { code: 'ETIMEDOUT', isSent: true, isRepeatable: true }],
    [error('EPIPE', 'write'), { code: 'EPIPE', isSent: true, isRepeatable: true }],
    [error('ERR_TLS_CERT_ALTNAME_INVALID'), { isSent: false, isRepeatable: false }],
    [error('CERT_HAS_EXPIRED'), { isSent: false, isRepeatable: false }],
    [error('UND_ERR_SOCKET'), { isSent: true, isRepeatable: true }],
    [new TypeError('fetch failed', { cause: error('ECONNREFUSED', 'connect') }), { code: 'ECONNREFUSED' }],
    [
      new AggregateError([error('ECONNREFUSED', 'connect'), error('EHOSTUNREACH', 'connect')]),
      { isSent: false },
    ],
    [error('HPE_INVALID_CONSTANT'), undefined],
    [error('ERR_INVALID_CHAR'), undefined],
    [new SyntaxError('no JSON'), undefined],
    ['a text', undefined],
  ])('of %s', (thrown, expected) => {
    const cause = networkCauseOf(thrown);
    if (expected) expect(cause).toMatchObject(expected);
    else expect(cause).toBeUndefined();
  });
});
