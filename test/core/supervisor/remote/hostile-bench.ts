import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { remoteConfig, remoteDeps, runOf } from './remote-bench.ts';
import { initializeResult } from './test-server.ts';

export const MIB = 1024 * 1024;
const URL_TEXT = 'http://127.0.0.1:1/mcp';
export const EVENTS = { 'content-type': 'text/event-stream' };
export const JSON_BODY = { 'content-type': 'application/json' };

/** Body that is made as it is read, and how much of it was. */
export function flood(chunk: string, bytes: number, { head = '', tail = '' } = {}) {
  const piece = Buffer.from(chunk);
  const made = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(Buffer.from(head)),
      pull: (controller) => {
        if (made.bytes < bytes) {
          made.bytes += piece.length;
          return controller.enqueue(piece);
        }
        controller.enqueue(Buffer.from(tail));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, made };
}

export interface Asked {
  readonly method: string;
  readonly rpc: string | undefined;
  readonly body: string;
  readonly headers: Headers;
}

/**
 * Run whose server answers by `respond`, which has no sockets; where it returns undefined, as a small healthy
 * server does.
 */
export function createHostileRun(
  respond: (asked: Asked) => Response | Promise<Response> | undefined,
  transport: 'http' | 'sse' = 'http',
) {
  const asked: Asked[] = [];
  const fetch: FetchLike = async (_url, init = {}) => {
    const body = typeof init.body === 'string' ? init.body : '';
    const rpc = body === '' ? undefined : (JSON.parse(body) as { method?: string }).method;
    const request = { method: init.method ?? 'GET', rpc, body, headers: new Headers(init.headers) };
    asked.push(request);
    return (await respond(request)) ?? healthy(request);
  };
  const deps = remoteDeps({ openHttp: () => ({ fetch, close: () => undefined }) });
  const bench = runOf(remoteConfig(URL_TEXT, {}, { transport }), deps);
  const count = (entry: string) =>
    asked.filter(({ method, rpc }) => `${method} ${rpc ?? 'answer'}` === entry).length;
  return { ...bench, asked, count };
}

function healthy({ method, rpc, body }: Asked): Response {
  if (method === 'GET') return new Response(null, { status: 405 });
  if (rpc === 'initialize') return new Response(initializeResult(body), { headers: JSON_BODY });
  if (rpc === undefined || rpc.startsWith('notifications/')) return new Response(null, { status: 202 });
  return new Response(resultOf(body, { isHealthy: true }), { headers: JSON_BODY });
}

export function resultOf(body: string, result: Record<string, unknown>): string {
  const { id } = JSON.parse(body) as { id: number };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** Counts the turns of the event loop that others got until now. */
export function countTurns() {
  let turns = 0;
  let isOver = false;
  const next = () => {
    turns += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  return { turns: () => turns, stop: () => (isOver = true) };
}
