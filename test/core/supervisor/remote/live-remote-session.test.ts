import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { PanelError } from '../../../../shared/error-codes.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import type { RemoteRunDeps } from '../../../../electron/core/supervisor/remote/remote-run.ts';
import { waitUntil } from '../../../fixtures/fixture-server.ts';
import {
  GRACES,
  launched,
  over,
  remoteConfig,
  remoteDeps,
  runOf,
  STOPPED,
  type RunBench,
} from './remote-bench.ts';
import {
  answer,
  callBackend,
  emptyResult,
  jsonBackend,
  refuse,
  serve,
  sseBackend,
  streamableBackend,
  type Handler,
  type TestServer,
} from './test-server.ts';

const SESSION = { 'mcp-session-id': 'session-1' };
/** Time well before which a reply that ended without its answer is doubted. */
const DOUBT_MS = 300;
const STREAM = { 'content-type': 'text/event-stream' };

function callOf(bench: RunBench, method = 'tools/call'): Promise<Record<string, unknown>> {
  const call = bench.run.connection!.request(method, { name: 'wait', arguments: { text: 'done' } });
  call.catch(() => undefined);
  return call;
}

/** A `TestServer` handler that keeps the first GET open, as a server with notifications does. */
function withStream(rest: Handler, streams: ServerResponse[], head = ': open\n\n'): Handler {
  return (request, response, body) => {
    if (request.method !== 'GET') return rest(request, response, body);
    streams.push(response);
    response.writeHead(200, STREAM).write(head);
  };
}

/** Server of one session whose end it handles like this. */
const leaving =
  (onDelete: Handler, onRequest: Handler = answer): Handler =>
  (request, response, body) =>
    (request.method === 'DELETE' ? onDelete : jsonBackend(onRequest, SESSION))(request, response, body);

const seen = (server: TestServer, entry: string, count = 1) =>
  waitUntil(() => server.log().filter((line) => line === entry).length >= count, `${count} × ${entry}`);

describe('RemoteRun ending', () => {
  it('rejects what is pending with the reason at once, before the server has heard of it', async () => {
    const deletion = createDeferred<void>();
    const hanging: ServerResponse[] = [];
    const hang: Handler = (_request, held) => void hanging.push(held);
    const { server, bench } = await over(
      leaving((_request, response) => void deletion.promise.then(() => response.end()), hang),
    );
    const call = callOf(bench);
    await seen(server, 'POST tools/call');
    const ended = bench.run.end(GRACES, STOPPED);
    await expect(call).rejects.toBe(STOPPED);
    await seen(server, 'DELETE');
    deletion.resolve();
    await ended;
  });

  it('waits a bounded time for the server to take leave', async () => {
    let waitedMs = 0;
    const { clock, ...deps } = remoteDeps();
    // The wait for the DELETE, the one long wait of a stop, passes in no time here.
    const impatient = {
      ...clock,
      setTimeout: (task: () => void, delayMs: number) => {
        if (delayMs !== 5000) return clock.setTimeout(task, delayMs);
        waitedMs = delayMs;
        return clock.setTimeout(task, 20);
      },
    };
    const server = await serve(leaving(() => undefined));
    const bench = await launched(remoteConfig(server.url), { ...deps, clock: impatient });
    await bench.run.end(GRACES, STOPPED);
    expect(waitedMs).toBe(5000);
    expect(bench.openClients()).toBe(0);
  });

  it('waits for nothing while it shakes hands, though a session has been named', async () => {
    const { clock, ...deps } = remoteDeps();
    const waits: number[] = [];
    const noting = {
      ...clock,
      setTimeout: (task: () => void, delayMs: number) => {
        waits.push(delayMs);
        return clock.setTimeout(task, delayMs);
      },
    };
    const server = await serve((request, response) => {
      if (request.method !== 'DELETE') response.writeHead(200, { ...STREAM, ...SESSION }).flushHeaders();
    });
    const answered = createDeferred<void>();
    const openHttp: RemoteRunDeps['openHttp'] = (options) => {
      const http = deps.openHttp(options);
      const fetch: typeof http.fetch = async (...asked) => {
        const response = await http.fetch(...asked);
        answered.resolve();
        return response;
      };
      return { ...http, fetch };
    };
    const bench = runOf(remoteConfig(server.url), { ...deps, clock: noting, openHttp });
    const launching = bench.run.launch().catch((error: unknown) => error);
    await answered.promise;
    await new Promise((resolve) => setImmediate(resolve)); // The SDK has read the headers.
    waits.splice(0);
    await bench.run.end(GRACES, STOPPED);
    expect(await launching).toBe(STOPPED);
    expect(waits).not.toContain(5000);
    expect(bench.openClients()).toBe(0);
  });

  it('takes leave of a server that will not hear of it', async () => {
    const { bench } = await over(leaving(refuse(500)));
    await bench.run.end(GRACES, STOPPED);
    expect(bench.crashes).toEqual([]);
  });

  it('says nothing to the server when it is killed, also during a stop', async () => {
    const server = await serve(leaving(() => undefined));
    const killed = await launched(remoteConfig(server.url));
    await killed.run.kill(STOPPED);
    expect(server.log()).not.toContain('DELETE');

    const stopping = await launched(remoteConfig(server.url));
    const ended = stopping.run.end(GRACES, STOPPED);
    await seen(server, 'DELETE');
    await stopping.run.kill(STOPPED);
    await ended;
  });

  it('has no session to delete where the server gave none, nor over SSE', async () => {
    const stateless = await serve(jsonBackend(answer));
    await (await launched(remoteConfig(stateless.url))).run.end(GRACES, STOPPED);
    expect(stateless.log()).not.toContain('DELETE');

    const backend = sseBackend();
    const sse = await serve(backend.handler);
    const bench = await launched(remoteConfig(sse.url, {}, { transport: 'sse' }));
    await bench.run.end(GRACES, STOPPED);
    expect(sse.log()).not.toContain('DELETE');
    expect(bench.crashes).toEqual([]);
  });
});

describe('RemoteRun, many times', () => {
  it.each(['http', 'sse'] as const)('leaves no socket and no timer behind (%s)', async (transport) => {
    const backend = transport === 'http' ? streamableBackend() : sseBackend();
    const server = await serve(backend.handler);
    const held = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap' || kind === 'Timeout')
        .length;
    const cycle = async () => {
      const { run } = await launched(remoteConfig(server.url, {}, { transport }));
      await run.connection!.request('tools/list', {});
      await run.end(GRACES, STOPPED);
    };
    await cycle();
    const before = held();
    for (let round = 0; round < 50; round += 1) await cycle();
    await waitUntil(() => held() <= before, 'nothing more than before');
  });
});

describe('RemoteRun losing its server', () => {
  it.each(['http', 'sse'] as const)(
    'ends when the server dies, and says nothing more to it (%s)',
    async (transport) => {
      const backend = transport === 'http' ? streamableBackend() : sseBackend();
      const server = await serve(backend.handler);
      const bench = await launched(remoteConfig(server.url, {}, { transport }));
      if (transport === 'http') await seen(server, 'GET');
      const gate = backend.gate();
      const call = callOf(bench);
      await gate.called;
      await server.close();
      const error = await bench.crashed;
      expect(error.code).toBe('UNREACHABLE');
      await expect(call).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      await expect(bench.run.connection!.request('tools/list', {})).rejects.toMatchObject({
        code: 'UNREACHABLE',
      });
      await bench.run.end(GRACES, STOPPED);
      expect(server.log()).not.toContain('DELETE');
      expect(bench.crashes).toHaveLength(1);
    },
  );

  it('finds out at the next request where the server keeps no stream open', async () => {
    const { server, bench } = await over(jsonBackend(answer, SESSION));
    await server.close();
    // The call was refused before a byte was sent, so nothing can have happened.
    await expect(callOf(bench)).rejects.toMatchObject({ code: 'UNREACHABLE', data: { isSent: false } });
    expect((await bench.crashed).data).toMatchObject({ networkCode: 'ECONNREFUSED' });
  });

  it('tells every call that the server refused with the session that it was not carried out', async () => {
    const held: ServerResponse[] = [];
    const { bench } = await over(jsonBackend((_request, response) => void held.push(response), SESSION));
    const [first, ...others] = [1, 2, 3, 4, 5].map(() => callOf(bench));
    await waitUntil(() => held.length === 5, 'the calls');
    held[0]!.writeHead(404).end();
    const later = Promise.race([first!.catch(() => callOf(bench)), ...others]);
    await expect(later).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
    expect(held).toHaveLength(5);
    for (const response of held.slice(1)) response.writeHead(404).end();
    const outcomes = await Promise.allSettled([first, ...others]);
    const codes = outcomes.map((outcome) => (outcome as { reason?: PanelError }).reason?.code);
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'SESSION_CLOSED'));
    expect(await bench.crashed).toMatchObject({ code: 'CRASHED', data: { status: 404 } });
    expect(bench.crashes).toHaveLength(1);
  });

  it('cannot say what became of a call that the server neither answers nor refuses with the session', async () => {
    const held: ServerResponse[] = [];
    const { bench } = await over(jsonBackend((_request, response) => void held.push(response), SESSION));
    const [refused, ignored] = [callOf(bench), callOf(bench)];
    await waitUntil(() => held.length === 2, 'the calls');
    held[0]!.writeHead(404).end();
    const codes = [refused, ignored].map((call) => call.catch((error: PanelError) => error.code));
    expect(new Set(await Promise.all(codes))).toEqual(new Set(['SESSION_CLOSED', 'OUTCOME_UNKNOWN']));
    expect(await bench.crashed).toMatchObject({ code: 'CRASHED', data: { status: 404 } });
  });

  it('ends when the server answers requests of the session with HTTP 400, as some do', async () => {
    const { server, bench } = await over(jsonBackend(answer, SESSION));
    server.handler = refuse(400);
    await expect(callOf(bench)).rejects.toMatchObject({ code: 'PROTOCOL_ERROR', data: { status: 400 } });
    expect(await bench.crashed).toMatchObject({ code: 'CRASHED', data: { status: 400 } });
  });

  it.each([
    ['forbids', 403, 'AUTH_REQUIRED'],
    ['refuses', 400, 'PROTOCOL_ERROR'],
    ['limits', 429, 'UNREACHABLE'],
    ['fails', 500, 'OUTCOME_UNKNOWN'],
    ['does not get through to', 502, 'OUTCOME_UNKNOWN'],
  ])('goes on when a server %s one call only (HTTP %d)', async (_verb, status, code) => {
    const { server, bench } = await over(callBackend(refuse(status)));
    await expect(callOf(bench)).rejects.toMatchObject({ code });
    await seen(server, 'POST ping');
    await expect(bench.run.connection!.request('tools/list', {})).resolves.toEqual({});
    expect(bench.crashes).toEqual([]);
    expect(bench.run.connection!.pendingRequests).toBe(0);
  });

  it('goes on when the connection of the check is cut with that of the call, as by a proxy that restarts', async () => {
    let cuts = 0;
    const cutting: Handler = (request, response, body) => {
      const { method } = JSON.parse(body) as { method?: string };
      if (method !== 'tools/call' && method !== 'ping') return answer(request, response, body);
      if (method === 'ping' && cuts === 2) return answer(request, response, body);
      cuts += 1;
      response.destroy();
    };
    const server = await serve(jsonBackend(cutting, SESSION));
    const bench = await launched(remoteConfig(server.url));
    await expect(callOf(bench)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await seen(server, 'POST ping', 2);
    await expect(bench.run.connection!.request('tools/list', {})).resolves.toEqual({});
    expect(bench.crashes).toEqual([]);
  });

  it('goes on while a server is overloaded', async () => {
    const { server, bench } = await over(jsonBackend(refuse(503)));
    await expect(callOf(bench)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await expect(bench.run.connection!.probe('ping')).rejects.toBeDefined();
    server.handler = jsonBackend(answer);
    await bench.run.connection!.probe('ping');
    expect(bench.crashes).toEqual([]);
  });

  it('takes a limit of the rate for a sign of life', async () => {
    const { bench } = await over(jsonBackend(refuse(429)));
    await expect(bench.run.connection!.probe('ping')).resolves.toBeGreaterThan(0);
    expect(bench.crashes).toEqual([]);
  });

  it.each([
    ['JSON', 'application/json', '{"jsonrpc":"2.0",'],
    ['SSE', 'text/event-stream', 'data: {"jsonrpc":"2.0",'],
  ])('goes on when one %s reply breaks off, whose outcome is unknown', async (_what, type, part) => {
    const { server, bench } = await over(
      callBackend((_request, response) => {
        response.writeHead(200, { 'content-type': type, 'content-length': '1000' });
        response.write(part, () => response.destroy());
      }),
    );
    await expect(callOf(bench)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await seen(server, 'POST ping');
    expect(bench.crashes).toEqual([]);
    expect(bench.run.connection!.pendingRequests).toBe(0);
  });

  it.each([
    ['SSE', 'text/event-stream'],
    ['JSON', 'application/json'],
  ])('goes on when one %s reply ends without an answer', async (_what, type) => {
    const { server, bench } = await over(
      callBackend((_request, response) => {
        const stray = '{"jsonrpc":"2.0","id":987654,"result":{}}';
        response.writeHead(200, { 'content-type': type });
        response.end(type === 'application/json' ? stray : `data: ${stray}\n\n`);
      }),
    );
    await expect(callOf(bench)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await seen(server, 'POST ping');
    expect(bench.noise).toMatchObject([{ noise: 'unmatched' }]);
    expect(bench.crashes).toEqual([]);
  });

  it('takes the answer that comes with the end of its stream', async () => {
    const { server, bench } = await over(
      jsonBackend(
        (_request, response, body) =>
          void response.writeHead(200, STREAM).end(`data: ${emptyResult(body)}\n\n`),
      ),
    );
    for (let call = 0; call < 20; call += 1) await expect(callOf(bench)).resolves.toEqual({});
    expect(server.log()).not.toContain('POST ping');
  });

  it('takes an answer whose id comes back as text, without a doubt about the session', async () => {
    const { server, bench } = await over(
      callBackend((_request, response, body) => {
        const text = emptyResult(body).replace(/"id":(\d+)/, '"id":"$1"');
        response.writeHead(200, STREAM).end(`data: ${text}\n\n`);
      }),
    );
    await expect(callOf(bench)).resolves.toEqual({});
    expect(bench.run.connection!.pendingRequests).toBe(0);
    const later = performance.now() + DOUBT_MS;
    await waitUntil(() => performance.now() > later, 'time for a doubt');
    expect(server.log()).not.toContain('POST ping');
    expect(bench.noise).toEqual([]);
  });

  it('does not doubt a server that ends the reply to a cancelled call', async () => {
    const held: ServerResponse[] = [];
    const { server, bench } = await over(
      callBackend((_request, response) => {
        held.push(response.writeHead(200, STREAM));
        response.flushHeaders();
      }),
    );
    const cancel = new AbortController();
    const call = bench.run.connection!.request('tools/call', { name: 'x' }, { signal: cancel.signal });
    await waitUntil(() => held.length === 1, 'the call');
    cancel.abort();
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    await seen(server, 'POST notifications/cancelled');
    expect(bench.run.connection!.pendingRequests).toBe(1);
    held[0]!.end();
    await waitUntil(
      () => bench.run.connection!.pendingRequests === 0,
      'the cancelled call is no longer expected',
    );
    expect(server.log()).not.toContain('POST ping');
  });

  it('gets the answer of a call whose stream is continued', async () => {
    const { server, bench } = await over((request, response, body) => {
      const resumed = request.headers['last-event-id'];
      if (request.method === 'GET' && resumed !== undefined) {
        const result = '{"jsonrpc":"2.0","id":1,"result":{"resumed":true}}';
        return void response.writeHead(200, STREAM).end(`id: e2\ndata: ${result}\n\n`);
      }
      return jsonBackend(
        (_request, reply) => void reply.writeHead(200, STREAM).end('id: e1\nretry: 300\ndata:\n\n'),
      )(request, response, body);
    });
    await expect(callOf(bench)).resolves.toEqual({ resumed: true });
    expect(server.log()).not.toContain('POST ping');
  });

  it('gives up a call whose stream cannot be continued', async () => {
    const { bench } = await over(
      callBackend(
        (_request, response) => void response.writeHead(200, STREAM).end('id: e1\nretry: 5\ndata:\n\n'),
      ),
    );
    await expect(callOf(bench)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(bench.crashes).toEqual([]);
  });
});

describe('RemoteRun and the stream of the server', () => {
  async function overSse() {
    const backend = sseBackend();
    const streams: ServerResponse[] = [];
    const { bench } = await over(
      (request, response, body) => {
        if (request.method === 'GET') streams.push(response);
        return backend.handler(request, response, body);
      },
      {},
      { transport: 'sse' },
    );
    return { backend, streams, bench };
  }

  it.each([405, 404, 400, 500, 501])('does without one (GET answered with HTTP %d)', async (status) => {
    const { server, bench } = await over((request, response, body) =>
      request.method === 'GET'
        ? refuse(status)(request, response, body)
        : jsonBackend(answer, SESSION)(request, response, body),
    );
    await seen(server, 'GET');
    await expect(callOf(bench)).resolves.toEqual({});
    expect(bench.crashes).toEqual([]);
  });

  it('goes on when the stream is cut and the server lives', async () => {
    const streams: ServerResponse[] = [];
    const { server, bench } = await over(withStream(jsonBackend(answer, SESSION), streams, 'retry: 5\n\n'));
    await waitUntil(() => streams.length === 1, 'the stream');
    streams[0]!.destroy();
    await waitUntil(() => streams.length === 2, 'the stream, again');
    expect(server.log()).toContain('POST ping');
    streams[1]!.end();
    await waitUntil(() => streams.length === 3, 'the stream, once more');
    expect(bench.crashes).toEqual([]);
  });

  it('ends when the stream is closed and cannot be opened again', async () => {
    const streams: ServerResponse[] = [];
    const first = withStream(jsonBackend(answer, SESSION), streams, 'retry: 5\n\n');
    const { bench } = await over((request, response, body) =>
      request.method === 'GET' && streams.length === 1
        ? refuse(502)(request, response, body)
        : first(request, response, body),
    );
    await waitUntil(() => streams.length === 1, 'the stream');
    streams[0]!.end();
    expect(await bench.crashed).toMatchObject({ code: 'UNREACHABLE', data: { status: 502 } });
  });

  it('goes on after an SSE server sent a message that cannot be handled', async () => {
    const { streams, bench } = await overSse();
    bench.run.connection!.onNotification(() => {
      throw new Error('x');
    });
    streams[0]!.write('event: message\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
    await waitUntil(() => bench.noise.length > 0, 'noise');
    await expect(bench.run.connection!.request('tools/list', {})).resolves.toEqual({ tools: [] });
    expect(bench.noise).toMatchObject([{ noise: 'not-handled' }]);
    expect(bench.crashes).toEqual([]);
    expect(streams).toHaveLength(1);
  });

  it('ends when an SSE server closes it, although it would open another', async () => {
    const { backend, streams, bench } = await overSse();
    const gate = backend.gate();
    const call = callOf(bench);
    await gate.called;
    streams[0]!.end();
    expect((await bench.crashed).code).toBe('UNREACHABLE');
    await expect(call).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('counts what is no message as noise, and reads on', async () => {
    const streams: ServerResponse[] = [];
    const { bench } = await over(withStream(jsonBackend(answer), streams));
    await waitUntil(() => streams.length === 1, 'the stream');
    streams[0]!.write('data: hello\n\ndata: {"a":1}\n\n');
    const before = bench.run.connection!.lastActivityAtMs;
    streams[0]!.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n');
    await waitUntil(() => bench.run.connection!.lastActivityAtMs > before, 'the message behind the noise');
    expect(bench.noise.map(({ noise }) => noise)).toEqual(['not-json', 'not-a-message']);
  });
});
