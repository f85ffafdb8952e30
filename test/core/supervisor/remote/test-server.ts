import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import {
  StreamableHTTPServerTransport,
  type StreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createDeferred, type Deferred } from '../../../../electron/core/deferred.ts';

/** Request as it arrived. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The method of the JSON-RPC message in the body. */
  readonly rpc: string | undefined;
  readonly body: string;
}

/** Answers a request; `body` is what was posted. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => void | Promise<void>;

/** HTTP server on the loopback interface, with everything it was asked recorded. */
export interface TestServer {
  readonly port: number;
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Handler of its requests; may be changed at any time. */
  handler: Handler;
  /** Log of its requests in order: `POST initialize`, `GET`, `DELETE`, … */
  log(): string[];
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

export async function startServer(handler: Handler, port = 0): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const http = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, path: url, headers, rpc: rpcMethodOf(body), body });
      await server.handler(request, response, body);
    });
  });
  await listen(http, port);
  const bound = (http.address() as AddressInfo).port;
  const server: TestServer = {
    port: bound,
    url: `http://127.0.0.1:${bound}/mcp`,
    seen,
    handler,
    log: () => seen.map(({ method, rpc }) => (rpc === undefined ? method : `${method} ${rpc}`)),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}

/** Starts a server that is closed after the test. */
export async function serve(handler: Handler, port?: number): Promise<TestServer> {
  const server = await startServer(handler, port);
  onTestFinished(() => server.close());
  return server;
}

/** Handler that answers every request with this status. */
export function refuse(status: number, headers: Record<string, string> = {}, body = ''): Handler {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

/** Gate at which a tool of a test server waits during a call. */
interface ToolGate {
  /** Settles when the tool `wait` has been called. */
  readonly called: Promise<void>;
  /** Lets the tool answer. */
  open(): void;
}

export interface McpBackend {
  readonly handler: Handler;
  /** Open sessions. */
  readonly sessions: Map<string, StreamableHTTPServerTransport | SSEServerTransport>;
  /** Gate for the next call of `wait`. */
  gate(): ToolGate;
}

/** MCP server with the tools `echo { text }`, and `wait`, which answers when its gate is opened. */
function mcpServer(gates: () => { called: Deferred<void>; opened: Deferred<void> } | undefined): Server {
  const info = { name: 'test-server', version: '1.2.3' };
  const server = new Server(info, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (params.name === 'wait') {
      const gate = gates();
      gate?.called.resolve();
      await gate?.opened.promise;
    }
    const said = params.arguments?.['text'];
    const text = typeof said === 'string' ? said : params.name;
    return { content: [{ type: 'text', text }] };
  });
  return server;
}

function createGates() {
  let current: { called: Deferred<void>; opened: Deferred<void> } | undefined;
  const gate = (): ToolGate => {
    const made = { called: createDeferred<void>(), opened: createDeferred<void>() };
    current = made;
    return { called: made.called.promise, open: () => made.opened.resolve() };
  };
  return { gate, current: () => current };
}

/** The SDK's Streamable HTTP server; an unknown session gets 404. */
export function streamableBackend(options: Partial<StreamableHTTPServerTransportOptions> = {}): McpBackend {
  const sessions: McpBackend['sessions'] = new Map();
  const { gate, current } = createGates();
  const handler: Handler = async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known instanceof StreamableHTTPServerTransport) {
      await known.handleRequest(request, response, parse(body));
      if (request.method === 'DELETE') sessions.delete(String(id));
      return;
    }
    if (id !== undefined) return void response.writeHead(404).end();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (made) => void sessions.set(made, transport),
      ...options,
    });
    await mcpServer(current).connect(transport);
    await transport.handleRequest(request, response, parse(body));
  };
  return { handler, sessions, gate };
}

/** The SDK's HTTP+SSE server below the same path; a POST to it gets `postStatus`, as an old server answers a new client. */
export function sseBackend(postStatus = 405): McpBackend {
  const sessions: McpBackend['sessions'] = new Map();
  const { gate, current } = createGates();
  const handler: Handler = async (request, response, body) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      return mcpServer(current).connect(transport);
    }
    const session = sessions.get(url.searchParams.get('sessionId') ?? '');
    if (url.pathname === '/messages' && session instanceof SSEServerTransport)
      return session.handlePostMessage(request, response, parse(body));
    response.writeHead(url.pathname === '/messages' ? 404 : postStatus).end();
  };
  return { handler, sessions, gate };
}

/** Result of `initialize` for hand-written servers. */
export function initializeResult(body: string): string {
  const { id, params } = JSON.parse(body) as { id: number; params: { protocolVersion: string } };
  const result = {
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'by-hand', version: '0' },
  };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** Result for any request of the panel; the empty one fits `ping`. */
export function emptyResult(body: string): string {
  const { id } = JSON.parse(body) as { id: number };
  return JSON.stringify({ jsonrpc: '2.0', id, result: {} });
}

/**
 * Hand-written Streamable HTTP server with JSON replies: shakes hands, takes notifications, has no GET, and
 * answers all other requests by `onRequest`.
 */
export function jsonBackend(onRequest: Handler, headers: Record<string, string> = {}): Handler {
  return (request, response, body) => {
    const json = { 'content-type': 'application/json', ...headers };
    if (request.method === 'GET') return void response.writeHead(405).end();
    if (request.method === 'DELETE') return void response.writeHead(200).end();
    const rpc = rpcMethodOf(body);
    if (rpc === 'initialize') return void response.writeHead(200, json).end(initializeResult(body));
    if (rpc?.startsWith('notifications/')) return void response.writeHead(202).end();
    return onRequest(request, response, body);
  };
}

/** The same, where only calls are answered in another way than with an empty result. */
export const callBackend = (onCall: Handler): Handler =>
  jsonBackend((request, response, body) =>
    (body.includes('tools/call') ? onCall : answer)(request, response, body),
  );

/** Answers with an empty result. */
export const answer: Handler = (_request, response, body) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(emptyResult(body));

function parse(body: string): unknown {
  return body === '' ? undefined : JSON.parse(body);
}

function rpcMethodOf(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { method?: string }).method;
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function listen(http: HttpServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, '127.0.0.1', () => resolve());
  });
}
