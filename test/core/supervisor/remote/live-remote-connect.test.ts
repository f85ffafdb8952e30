import { describe, expect, it } from 'vitest';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { PanelError } from '../../../../shared/error-codes.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { waitUntil } from '../../../fixtures/fixture-server.ts';
import {
  GRACES,
  launched,
  over,
  remoteConfig,
  remoteDeps,
  runOf,
  STOPPED,
  type ConfigChanges,
} from './remote-bench.ts';
import {
  answer,
  initializeResult,
  jsonBackend,
  refuse,
  serve,
  sseBackend,
  startServer,
  streamableBackend,
  type Handler,
} from './test-server.ts';

/** Launches a run, and resolves with its error. */
async function failureOf(...made: Parameters<typeof runOf>): Promise<PanelError> {
  const error: unknown = await launched(...made).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PanelError);
  return error as PanelError;
}

/** The error of a run on a server that answers like this. */
async function failureAt(handler: Handler, ...changes: ConfigChanges) {
  const server = await serve(handler);
  return { server, error: await failureOf(remoteConfig(server.url, ...changes)) };
}

describe('RemoteRun connecting', () => {
  it('speaks Streamable HTTP to a server that does', async () => {
    const backend = streamableBackend();
    const {
      server,
      bench: { run },
    } = await over(backend.handler);
    expect(run.connection?.serverInfo).toEqual({ name: 'test-server', version: '1.2.3' });
    expect(run.pid).toBeUndefined();
    expect(run.record).toBeUndefined();
    const result = await run.connection!.request('tools/call', { name: 'echo', arguments: { text: 'hi' } });
    expect(result['content']).toEqual([{ type: 'text', text: 'hi' }]);
    expect(server.log().slice(0, 2)).toEqual(['POST initialize', 'POST notifications/initialized']);
  });

  it.each([400, 404, 405, 406])('falls back to SSE once on HTTP %d, and remembers it', async (status) => {
    const backend = sseBackend(status);
    const server = await serve(backend.handler);
    const deps = remoteDeps();
    const first = await launched(remoteConfig(server.url), deps);
    expect(server.log().slice(0, 2)).toEqual(['POST initialize', 'GET']);
    const result = await first.run.connection!.request('tools/call', { name: 'echo', arguments: {} });
    expect(result['content']).toEqual([{ type: 'text', text: 'echo' }]);
    await first.run.end(GRACES, STOPPED);

    server.seen.length = 0;
    await launched(remoteConfig(server.url), deps);
    expect(server.log().slice(0, 2)).toEqual(['GET', 'POST initialize']);
    expect(server.seen[1]?.path).toMatch(/^\/messages/);
  });

  it.each([401, 403])('asks for sign-in on HTTP %d: no fallback, no retry', async (status) => {
    const header =
      'Bearer resource_metadata="http://127.0.0.1:9/.well-known/x?ticket=abc", error="invalid_token"';
    const { error, server } = await failureAt(refuse(status, { 'www-authenticate': header }));
    expect(error.code).toBe('AUTH_REQUIRED');
    expect(error.message).toMatch(/sign-in needed/i);
    expect(error.data).toMatchObject({ status, resourceMetadataUrl: 'http://127.0.0.1:9/.well-known/x' });
    expect(server.log()).toEqual(['POST initialize']);
  });

  it('asks for sign-in when the SSE stream is refused, too', async () => {
    const { error, server } = await failureAt(
      refuse(401, { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1:9/m"' }),
      {},
      { transport: 'sse' },
    );
    expect(error).toMatchObject({
      code: 'AUTH_REQUIRED',
      data: { resourceMetadataUrl: 'http://127.0.0.1:9/m' },
    });
    expect(server.log()).toEqual(['GET']);
  });

  it.each([
    [400, -32020],
    [400, -32022],
    [404, -32601],
  ])('knows a server of a later era by HTTP %i with %i: no fallback, no retry', async (status, code) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: 'Header mismatch' } });
    const { error, server } = await failureAt(refuse(status, { 'content-type': 'application/json' }, body));
    expect(error).toMatchObject({ code: 'PROTOCOL_ERA_UNSUPPORTED', data: { rpcCode: code } });
    expect(error.message).toMatch(/only speaks versions .*Header mismatch\.$/);
    expect(server.log()).toEqual(['POST initialize']);
  });

  it.each([429, 500, 502, 503])('tries HTTP %d three times, and never over SSE', async (status) => {
    const { error, server } = await failureAt(refuse(status, {}, '{"message":"come back later"}'));
    expect(error).toMatchObject({ code: 'UNREACHABLE', data: { status } });
    expect(error.message).toContain('come back later');
    expect(server.log()).toEqual(Array(3).fill('POST initialize'));
  });

  it('tries a connection that is reset three times, and never over SSE', async () => {
    const { error, server } = await failureAt((request) => void request.socket.resetAndDestroy());
    expect(error).toMatchObject({ code: 'UNREACHABLE', data: { networkCode: 'ECONNRESET' } });
    expect(server.log()).toEqual(Array(3).fill('POST initialize'));
  });

  it('says that nothing listens there', async () => {
    const server = await startServer(answer);
    await server.close();
    const error = await failureOf(remoteConfig(server.url));
    expect(error).toMatchObject({
      code: 'UNREACHABLE',
      data: { networkCode: 'ECONNREFUSED', isSent: false },
    });
    expect(error.message).toContain('nothing listens there');
  });

  it('names both causes when both transports fail', async () => {
    const { error, server } = await failureAt((request, response, body) =>
      refuse(request.method === 'POST' ? 405 : 404)(request, response, body),
    );
    expect(error).toMatchObject({ code: 'PROTOCOL_ERROR', data: { httpStatus: 405, sseStatus: 404 } });
    expect(error.message).toMatch(/Streamable HTTP: .*HTTP 405.*SSE: .*HTTP 404/s);
    expect(server.log()).toEqual(['POST initialize', 'GET']);
  });

  it('reports the refused credential of the fallback as such', async () => {
    const server = await serve((request, response, body) =>
      refuse(request.method === 'POST' ? 405 : 401)(request, response, body),
    );
    expect((await failureOf(remoteConfig(server.url))).code).toBe('AUTH_REQUIRED');
  });

  it.each([
    ['a page', '<html>Welcome</html>', 'text/html'],
    ['no JSON', 'hello', 'application/json'],
    ['JSON that is no message', '{"hello":"world"}', 'application/json'],
  ])('calls %s for a handshake an error of the protocol', async (_what, body, type) => {
    const { error, server } = await failureAt(
      (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body),
    );
    expect(error.code).toBe('PROTOCOL_ERROR');
    expect(error.remedy).not.toMatch(/stderr|stdio/);
    expect(server.log()).toEqual(['POST initialize']);
  });

  it("calls an error for a handshake what it is: the server's own, told in its words", async () => {
    const body =
      '{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"broken inside","data":{"at":"db"}}}';
    const { error, server } = await failureAt(
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    expect(error).toMatchObject({
      code: 'SERVER_ERROR',
      message: 'The server refused the MCP handshake: broken inside',
      data: { rpcCode: -32603, rpcData: { at: 'db' } },
    });
    expect(error.remedy).not.toMatch(/stderr|stdio/);
    expect(server.log()).toEqual(['POST initialize']);
  });

  it('calls something that is no HTTP server an error of the protocol', async () => {
    const sockets: Socket[] = [];
    const tcp = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('SSH-2.0-OpenSSH_9.6\r\n'));
    });
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const { port } = tcp.address() as AddressInfo;
    const error = await failureOf(remoteConfig(`http://127.0.0.1:${port}/mcp`));
    expect(error.code).toBe('PROTOCOL_ERROR');
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => tcp.close(resolve));
  });

  it('calls a reply that ends without an answer unreachable, after three attempts', async () => {
    const { error, server } = await failureAt(
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    );
    expect(error.code).toBe('UNREACHABLE');
    expect(server.log()).toEqual(Array(3).fill('POST initialize'));
  });

  it('heeds limits of the start that are raised while it connects', async () => {
    const gate = createDeferred<void>();
    const backend = streamableBackend();
    const server = await serve(async (request, response, body) => {
      await gate.promise;
      await backend.handler(request, response, body);
    });
    const clock = createFakeClock();
    let { panel } = remoteConfig(server.url, { startTimeoutMs: 1000, startMaxMs: 2000 });
    const { run } = runOf(remoteConfig(server.url), remoteDeps({ clock }), () => panel);
    const launched = run.launch();
    await waitUntil(() => server.log().length > 0, 'the first request');
    panel = { ...panel, startTimeoutMs: 50_000, startMaxMs: 60_000 };
    await clock.advance(49_000);
    gate.resolve();
    await launched;
  });

  it('gives up a server that takes the request and says nothing', async () => {
    const { error, server } = await failureAt(() => undefined, { startTimeoutMs: 200 });
    expect(error.code).toBe('START_TIMEOUT');
    expect(error.data).toMatchObject({ setting: 'startTimeoutMs' });
    expect(server.log()).toEqual(['POST initialize']);
  });

  it('gives up an SSE server that never says where to post', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    });
    const config = remoteConfig(server.url, { startTimeoutMs: 200 }, { transport: 'sse' });
    expect((await failureOf(config)).code).toBe('START_TIMEOUT');
  });

  it('is patient with a slow server that shows signs of life', async () => {
    const opened: (() => void)[] = [];
    const server = await serve(jsonBackend(answer));
    const { handler } = server;
    server.handler = (request, response, body) => {
      if (!body.includes('"initialize"')) return handler(request, response, body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const beat = setInterval(() => response.write(': still starting\n\n'), 50);
      opened.push(() => {
        clearInterval(beat);
        response.end(`data: ${initializeResult(body)}\n\n`);
      });
    };
    const { run } = runOf(remoteConfig(server.url, { startTimeoutMs: 1000 }));
    const launched = run.launch();
    const startedAt = performance.now();
    await waitUntil(() => performance.now() - startedAt > 2000, 'twice the timeout');
    opened[0]!();
    await launched;
  });

  it('ends at once when it is stopped during the handshake', async () => {
    const server = await serve(() => undefined);
    const { run } = runOf(remoteConfig(server.url));
    const launched = run.launch();
    launched.catch(() => undefined);
    await waitUntil(() => server.seen.length === 1, 'the first attempt');
    await run.end(GRACES, STOPPED);
    await expect(launched).rejects.toBe(STOPPED);
  });
});

describe('RemoteRun requests', () => {
  it.each([
    ['http', streamableBackend, ['GET', 'DELETE']],
    ['sse', sseBackend, ['GET', 'POST initialize']],
  ] as const)('sends the headers of the entry with each request (%s)', async (transport, made, sent) => {
    const server = await serve(made().handler);
    const headers = { 'X-Api-Key': 'key-1', 'User-Agent': 'panel' };
    const { run } = await launched(remoteConfig(server.url, {}, { transport, headers }));
    await waitUntil(() => server.log().includes('GET'), 'the stream');
    await run.end(GRACES, STOPPED);
    expect(server.log()).toEqual(expect.arrayContaining([...sent]));
    for (const seen of server.seen)
      expect(seen.headers).toMatchObject({ 'x-api-key': 'key-1', 'user-agent': 'panel' });
  });

  it('turns user and password of the URL into the header they stand for, and shows neither', async () => {
    const server = await serve(refuse(401));
    const url = server.url.replace('://', '://some%40one:s3cret@') + '?token=abcdef';
    const error = await failureOf(remoteConfig(url));
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${btoa('some@one:s3cret')}`);
    expect(server.seen[0]?.path).toBe('/mcp?token=abcdef');
    expect(JSON.stringify([error.message, error.data, error.remedy])).not.toMatch(/s3cret|some|abcdef/);
    expect(error.data?.['url']).toBe(server.url);
  });

  it('takes a percent sign in a password as it stands', async () => {
    const server = await serve(refuse(401));
    await failureOf(remoteConfig(server.url.replace('://', '://me:100%25-50%!@')));
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${btoa('me:100%25-50%!')}`);
  });

  it('refuses a header that cannot be sent, by name only', async () => {
    const error = await failureOf(remoteConfig('http://127.0.0.1:9/', {}, { headers: { 'X-Key': 'a\nb' } }));
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(error.message).toContain('X-Key');
    expect(error.message).not.toContain('a\nb');
  });

  it('follows a redirect within the origin', async () => {
    const backend = streamableBackend();
    const server = await serve((request, response, body) =>
      request.url === '/mcp'
        ? refuse(307, { location: '/mcp/' })(request, response, body)
        : backend.handler(request, response, body),
    );
    await launched(remoteConfig(server.url));
    expect(backend.sessions.size).toBe(1);
  });

  it.each(['http', 'sse'] as const)('follows no redirect to another origin (%s)', async (transport) => {
    const other = await serve(streamableBackend().handler);
    const server = await serve(refuse(307, { location: `${other.url}?ticket=abcdef` }));
    const config = remoteConfig(server.url, {}, { transport, headers: { Authorization: 'Bearer abc' } });
    const error = await failureOf(config);
    expect(error).toMatchObject({ code: 'PROTOCOL_ERROR', data: { status: 307 } });
    expect(error.message).toContain(other.url);
    expect(error.message).not.toContain('abcdef');
    expect(other.seen).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it('posts nowhere but to the origin that the SSE stream came from', async () => {
    const other = await serve(answer);
    const { error } = await failureAt(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`event: endpoint\ndata: ${other.url}\n\n`);
      },
      {},
      { transport: 'sse' },
    );
    expect(error.code).toBe('PROTOCOL_ERROR');
    expect(other.seen).toEqual([]);
  });
});
