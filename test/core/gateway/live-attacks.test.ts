import fc from 'fast-check';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatewayLimits } from '../../../electron/core/gateway/http/limits.ts';
import type { RegisteredClient } from '../../../electron/core/gateway/auth/client-registry.ts';
import {
  ask,
  createGatewayFixture,
  headOf,
  PATH,
  ping,
  postOf,
  RawConnection,
  streamOf,
  type Ask,
  type FixtureOptions,
  type GatewayFixture,
} from './gateway-fixture.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { propertyRuns } from '../../support/property-runs.ts';

// Attacks on the endpoint for clients, over real sockets. A second client has a stream open all the while, and is untouched.

const METHODS = ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT', 'HEAD', 'PATCH'];
const PATHS = [
  PATH,
  '/',
  '/metrics',
  '/healthz',
  '/health',
  '/register',
  '/.well-known/oauth-protected-resource',
];

let door: GatewayFixture;
let other: { token: string; stream: RawConnection };

beforeEach(async () => {
  await open({ pages: () => ({ healthz: () => ({ ok: true }) }) });
});

async function open(options: FixtureOptions): Promise<void> {
  door = await createGatewayFixture(options);
  const { token } = await door.clients.create({ name: 'other' });
  const stream = raw().send(streamOf(door.port, token, '/servers/other/mcp'));
  await stream.until(() => stream.text.includes(':\n\n'));
  other = { token, stream };
}

afterEach(async () => {
  const { token, stream } = other;
  const answered = await ask({ port: door.port, token, path: '/servers/other/mcp', body: ping('still') });
  expect([answered.status, answered.text]).toEqual([200, expect.stringContaining('"id":"still"')]);
  const [{ reply } = {}] = door.edge.streams;
  expect(reply?.stream({ jsonrpc: '2.0', method: 'notifications/still' })).toBe(true);
  await stream.until(() => stream.text.includes('notifications/still'));
  expect(door.faults).toEqual([]);
});

/** What reached the edge of the client that attacks. */
const passed = () => door.edge.posts.filter(({ request }) => request.client.name === 'first');
const asFirst = (more: Partial<Ask> = {}) => ask({ port: door.port, token: door.token, ...more });
const raw = () => new RawConnection(door.port);

describe('a page whose name was pointed at this machine (A1)', () => {
  const foreign: Record<string, string>[] = [
    { Host: 'evil.example.com' },
    { Host: '127.0.0.1' },
    { Host: '127.0.0.1:1' },
    { Host: '127.0.0.1.nip.io' },
    { Origin: 'http://evil.example.com' },
    { Origin: 'null' },
    { Origin: 'http://localhost.evil.com' },
    { Origin: 'http://localhost' },
    { Origin: '' },
  ];

  it.each(foreign)('is refused with 403 on every path and method: %o', async (headers) => {
    for (const path of PATHS) {
      for (const method of METHODS) {
        const { status, text, headers: got } = await asFirst({ path, method, headers });
        expect([path, method, status]).toEqual([path, method, 403]);
        expect(text).not.toContain('ok');
        expect(Object.keys(got).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
    expect(passed()).toEqual([]);
    expect(door.edge.ended).toEqual([]);
  });

  it('is refused with the right port on another name, and with the origin of https', async () => {
    const port = door.port;
    const hosts = [
      `evil.example.com:${port}`,
      `0.0.0.0:${port}`,
      `127.0.0.1:${port}.evil.com`,
      `[::]:${port}`,
    ];
    for (const Host of hosts) expect((await asFirst({ headers: { Host } })).status).toBe(403);
    for (const Origin of [
      `https://localhost:${port}`,
      `http://localhost:${port}/`,
      `http://a@localhost:${port}`,
    ])
      expect((await asFirst({ headers: { Origin } })).status).toBe(403);
  });

  it('is told from our own names, which pass', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]']) {
      const Host = `${host}:${door.port}`;
      expect((await asFirst({ headers: { Host } })).status).toBe(200);
      expect((await asFirst({ headers: { Host, Origin: `http://${Host}` } })).status).toBe(200);
    }
  });
});

describe('another machine (A2)', () => {
  it('cannot connect', async () => {
    const addresses = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    // 127.0.0.2 is this machine's, too, and no address that is listened on.
    for (const address of [...addresses, ...(process.platform === 'linux' ? ['127.0.0.2'] : [])]) {
      const outcome = await new Promise((resolve) => {
        const socket = connect({ host: address, port: door.port });
        socket.once('connect', () => resolve('connected'));
        socket.once('error', () => resolve('refused'));
      });
      expect([address, outcome]).toEqual([address, 'refused']);
    }
  });
});

describe('a process of this machine without a token (A3)', () => {
  it('is refused with 401, however it asks', async () => {
    const { port, token } = door;
    const tries: Record<string, string>[] = [
      {},
      { Authorization: '' },
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer ' },
      { Authorization: `Bearer mcpcp_${'A'.repeat(43)}` },
      { Authorization: `bearer ${token}` },
      { Authorization: `BEARER ${token}` },
      { Authorization: `Bearer  ${token}` },
      { Authorization: `Bearer ${token}x` },
      { Authorization: `Bearer ${token.slice(0, -1)}` },
      { Authorization: `Basic ${Buffer.from(`a:${token}`).toString('base64')}` },
      { Authorization: token },
      { Cookie: `token=${token}` },
      { 'X-Authorization': `Bearer ${token}` },
    ];
    for (const headers of tries) {
      const { status, headers: got } = await ask({ port, headers });
      expect([headers, status, got['www-authenticate']]).toEqual([headers, 401, 'Bearer']);
    }
    expect(passed()).toEqual([]);
  });

  it('is not helped by a token in the query', async () => {
    const path = `${PATH}?token=${door.token}&access_token=${door.token}`;
    expect((await ask({ port: door.port, path })).status).toBe(401);
  });

  it('finds no token in the files, which are their owner’s alone', async () => {
    const files = readdirSync(door.home).map((name) => join(door.home, name));
    expect(files.map((path) => path.endsWith('clients.json'))).toContain(true);
    for (const path of files) {
      expect(readFileSync(path, 'utf8')).not.toContain(door.token.slice('mcpcp_'.length));
      if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  it('is refused from the moment on in which its client is revoked, and what it has open is broken off', async () => {
    const first = clientNamed('first');
    const stream = raw().send(streamOf(door.port, door.token));
    await stream.until(() => stream.text.includes(':\n\n'));
    const slow = raw().send(headOf(door.port, door.token, ['Content-Length: 46']));
    await slow.until(() => door.gateway.openReplies === 3);
    const revoked = door.clients.revoke(first.id);
    expect(door.clients.authenticate(door.token)).toBeUndefined();
    await stream.until(() => stream.isClosed);
    await slow.until(() => slow.isClosed);
    await revoked;
    expect((await asFirst()).status).toBe(401);
    expect(passed()).toEqual([]);
  });

  it('is refused at its next request on a connection that let it in before', async () => {
    const url = `http://127.0.0.1:${door.port}${PATH}`;
    const kept = new KeepAliveClient(url, door.token);
    const { id } = clientNamed('first');
    expect([await kept.begin(), await kept.begin()]).toEqual([200, 200]);
    const { token } = await door.clients.renew(id);
    expect(await kept.begin()).toBe(401);
    const renewed = new KeepAliveClient(url, token);
    expect([await renewed.begin(), await renewed.begin()]).toEqual([200, 200]);
    const revoked = door.clients.revoke(id);
    expect(await renewed.begin()).toBe(401);
    await revoked;
    for (const client of [kept, renewed]) client.close();
  });

  it('is refused with an old token after a new one was made', async () => {
    const { token } = await door.clients.renew(clientNamed('first').id);
    expect((await asFirst()).status).toBe(401);
    expect((await asFirst({ token })).status).toBe(200);
  });
});

function clientNamed(name: string): RegisteredClient {
  return door.clients.list().find((client) => client.name === name)!;
}

describe('a form of a web page (A4)', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json-rpc',
    '',
  ])('is refused with 415 for its type: %s', async (type) => {
    expect((await asFirst({ headers: { 'Content-Type': type } })).status).toBe(415);
    expect((await asFirst({ headers: { 'Content-Type': type, Origin: 'http://evil' } })).status).toBe(403);
    expect(passed()).toEqual([]);
  });

  it('gets no leave for a request across origins', async () => {
    const headers = {
      Origin: 'http://evil',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Private-Network': 'true',
    };
    const preflight = await asFirst({ method: 'OPTIONS', headers });
    expect(preflight.status).toBe(403);
    const own = await asFirst({ method: 'OPTIONS' });
    expect([own.status, own.headers['allow']]).toEqual([405, 'POST, GET, DELETE']);
    for (const { headers: got } of [preflight, own])
      expect(Object.keys(got).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('is refused for an encoded body and another alphabet', async () => {
    for (const headers of [
      { 'Content-Encoding': 'gzip' },
      { 'Content-Type': 'application/json; charset=utf-16' },
    ])
      expect((await asFirst({ headers })).status).toBe(415);
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    expect((await asFirst({ headers })).status).toBe(200);
  });
});

describe('a client that may use one server (A5)', () => {
  it('is refused with 403 at another, whatever session it names', async () => {
    const { token } = await door.clients.create({ name: 'narrow', servers: ['files'] });
    expect((await asFirst({ token })).status).toBe(200);
    const headers = { 'Mcp-Session-Id': 'of somebody else' };
    for (const method of ['POST', 'GET', 'DELETE'])
      expect((await asFirst({ token, method, path: '/servers/github/mcp', headers })).status).toBe(403);
    expect(door.edge.posts.map(({ request }) => request.server)).toEqual(['files']);
  });
});

describe('two clients with the same ids (A6)', () => {
  it('each get their own answers out of 200 at once', async () => {
    door.edge.answer = ({ request, message, reply }) =>
      setImmediate(() => reply.end({ jsonrpc: '2.0', id: message!.id, result: request.client.name }));
    const all = Array.from({ length: 100 }, (_, id) => id).flatMap((id) => [
      asFirst({ body: ping(id) }).then(({ text }) => [text, `{"jsonrpc":"2.0","id":${id},"result":"first"}`]),
      asFirst({ body: ping(id), token: other.token }).then(({ text }) => [
        text,
        `{"jsonrpc":"2.0","id":${id},"result":"other"}`,
      ]),
    ]);
    for (const [got, expected] of await Promise.all(all)) expect(got).toBe(expected);
    door.edge.answer = undefined;
  });
});

describe('a flood (A7)', () => {
  it('of new sessions passes on as many as are allowed, and refuses the others with 429', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    const statuses: number[] = [];
    for (let count = 0; count < 500; count += 1) statuses.push((await asFirst({ body })).status);
    const refused = statuses.filter((status) => status === 429).length;
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(passed().length).toBe(500 - refused);
    expect(passed().length).toBeLessThan(gatewayLimits.sessions.burst + 150);
    expect(door.gateway.openReplies).toBe(1);
    const again = await asFirst({ body });
    if (again.status === 429) expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('of calls and of streams is refused past what one client may have open', async () => {
    await open({ limits: { ...gatewayLimits, streamsPerClient: 3, callsPerClient: 4, calls: 6 } });
    const { token } = other;
    const held = Array.from({ length: 4 }, () => raw().send(postOf(door.port, door.token)));
    door.edge.answer = () => undefined;
    await held[0]!.until(() => passed().length === 4);
    expect((await asFirst()).status).toBe(429);
    const others = Array.from({ length: 2 }, () => raw().send(postOf(door.port, token)));
    await others[0]!.until(() => door.edge.posts.length === 6);
    const busy = await asFirst({ token });
    expect([busy.status, busy.headers['retry-after']]).toEqual([503, '1']);
    const streams = Array.from({ length: 3 }, () => raw().send(streamOf(door.port, door.token)));
    await streams[0]!.until(() => door.edge.streams.length === 4);
    expect((await asFirst({ method: 'GET' })).status).toBe(429);
    for (const connection of [...held, ...others, ...streams]) connection.close();
    door.edge.answer = undefined;
    await streams[0]!.until(() => door.gateway.openReplies === 1);
    // Every place came back.
    expect((await asFirst()).status).toBe(200);
  });

  it('of requests is refused with 429 and the time to wait', async () => {
    await open({ limits: { ...gatewayLimits, requests: { burst: 20, perSecond: 0.001 } } });
    const answers = [];
    for (let count = 0; count < 25; count += 1) answers.push(await asFirst());
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 25 }, (_, index) => (index < 20 ? 200 : 429)),
    );
    expect(Number(answers.at(-1)!.headers['retry-after'])).toBeGreaterThan(1);
    expect(door.refusals).toEqual(Array.from({ length: 5 }, () => ({ reason: 'rate', clientName: 'first' })));
  });

  it('of requests on one connection that do not wait for the answer loses the connection', async () => {
    door.edge.answer = () => undefined;
    const one = postOf(door.port, door.token);
    const flood = raw().send(one.repeat(1000));
    await flood.until(() => flood.isClosed);
    expect(passed().length).toBeLessThanOrEqual(1);
    await flood.until(() => door.gateway.openReplies === 1);
    expect(door.refusals[0]).toEqual({ reason: 'malformed', clientName: undefined });
    expect(new Set(door.refusals.map(({ reason }) => reason))).toEqual(new Set(['malformed']));
    door.edge.answer = undefined;
  });

  it('of answers that nobody takes waits one behind the other, and leaves no place taken', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 0x20);
    door.edge.answer = ({ reply }) => reply.end([large]);
    const one = postOf(door.port, door.token);
    const connection = raw();
    connection.socket.pause();
    connection.send(one);
    await connection.until(() => passed().length === 1);
    connection.send(one);
    connection.send(one);
    await connection.until(() => door.refusals.length === 1 || door.gateway.openReplies === 1);
    connection.close();
    await connection.until(() => door.gateway.openReplies === 1);
    expect(passed().length).toBe(1);
    door.edge.answer = undefined;
  });
});

describe('a body that is too much or too odd (A8)', () => {
  const deep = (levels: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
  const wide = (text: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"${'a'.repeat(70_000)}"}${text}}`;

  it.each([
    ['of 32 MiB', Buffer.alloc(32 * 1024 * 1024, 0x20), 413, -32_000],
    ['with 100 000 levels', deep(100_000), 400, -32_600],
    ['with 10 000 levels', deep(10_000), 400, -32_600],
    ['that is a batch', `[${ping()}]`, 400, -32_600],
    ['that is a long batch', `[${wide('')}]`, 400, -32_600],
    ['with a byte order mark', `\uFEFF${ping()}`, 400, -32_700],
    ['with a byte order mark, long', `\uFEFF${wide('')}`, 400, -32_700],
    [
      'with bytes that are not UTF-8',
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff"}', 'latin1'),
      400,
      -32_700,
    ],
    [
      'with bytes that are not UTF-8, long',
      Buffer.from(wide('').replace('aa', '\xff\xfe'), 'latin1'),
      400,
      -32_700,
    ],
    ['in UTF-16', Buffer.from(ping(), 'utf16le'), 400, -32_700],
    ['that is no JSON', 'jsonrpc', 400, -32_700],
    ['that is cut off', ping().slice(0, -1), 400, -32_700],
    ['that is long and cut off', wide('').slice(0, -1), 400, -32_700],
    ['that is empty', '', 400, -32_700],
    ['that is null', 'null', 400, -32_600],
    ['that is no message', '{"jsonrpc":"1.0","id":1,"method":"x"}', 400, -32_600],
    ['with an id of null', '{"jsonrpc":"2.0","id":null,"method":"x"}', 400, -32_600],
    ['with __proto__', '{"jsonrpc":"2.0","id":1,"method":"x","__proto__":{"method":"y"}}', 400, -32_600],
  ])('is refused: %s', async (_, body, status, code) => {
    const answered = await asFirst({ body });
    expect([answered.status, JSON.parse(answered.text) as unknown]).toEqual([
      status,
      { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) as unknown } },
    ]);
    expect(passed()).toEqual([]);
  });

  it('is taken literally where it is harmless', async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"a","method":"b","params":{"__proto__":{"x":1},"constructor":{}}}';
    expect((await asFirst({ body })).status).toBe(200);
    const { message } = passed()[0]!;
    expect(message!.method).toBe('b');
    expect(JSON.stringify(message!.params)).toBe('{"__proto__":{"x":1},"constructor":{}}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it.each(['', ',"method":"y"', ',"\\u006dethod":"y"'])(
    'is passed on as it is understood where it is long%s',
    async (more) => {
      const body = wide(more);
      expect((await asFirst({ body })).status).toBe(200);
      const { message } = passed()[0]!;
      expect(message).toEqual(JSON.parse(body));
    },
  );

  it('is refused with 413 when it comes in parts and does not say how much there is', async () => {
    const connection = raw().send(headOf(door.port, door.token, ['Transfer-Encoding: chunked']));
    const part = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(0x100000, 0x20),
      Buffer.from('\r\n'),
    ]);
    for (let count = 0; count < 17; count += 1) connection.send(part);
    expect(await connection.answered()).toBe(413);
    connection.close();
  });

  it('is not asked for where the sender waits for a word', async () => {
    const head = headOf(door.port, door.token, ['Expect: 100-continue', 'Content-Length: 99999999']);
    const refused = raw().send(head);
    expect(await refused.answered()).toBe(413);
    await refused.until(() => refused.isClosed);
    const passing = raw().send(headOf(door.port, door.token, ['Expect: 100-continue', 'Content-Length: 40']));
    await passing.until(() => passing.text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    passing.send(ping());
    await passing.until(() => passing.text.includes('HTTP/1.1 200'));
    passing.close();
  });

  it('holds no more memory with others than all long bodies may', async () => {
    await open({ limits: { ...gatewayLimits, longBodyBytes: 1024 * 1024 } });
    const hold = raw().send(headOf(door.port, door.token, ['Content-Length: 2000000']));
    hold.send(Buffer.alloc(1_000_000, 0x20));
    await expect.poll(async () => (await asFirst({ body: wide('') })).status).toBe(503);
    hold.close();
    await expect.poll(async () => (await asFirst({ body: wide('') })).status).toBe(200);
  });

  it('is refused with 431 for a head of a megabyte', async () => {
    const connection = raw().send(headOf(door.port, door.token, [`X-Long: ${'a'.repeat(1024 * 1024)}`]));
    expect(await connection.answered()).toBe(431);
    connection.close();
  });

  it('is refused with 408 when its head or its body never ends, and a silent connection is closed', async () => {
    await open({ slowSenderMs: 400 });
    const head = raw().send('POST / HTTP/1.1\r\nHost: ');
    const body = raw().send(headOf(door.port, door.token, ['Content-Length: 40']));
    const silent = raw();
    const drip = setInterval(() => body.send(' '), 50);
    expect(await head.answered()).toBe(408);
    expect(await body.answered()).toBe(408);
    clearInterval(drip);
    for (const connection of [head, body, silent]) await connection.until(() => connection.isClosed);
    expect(passed()).toEqual([]);
  });
});

describe('a client that would like to manage the panel (A12)', () => {
  it('finds nothing but the protocol, at any path and method', async () => {
    const names = [
      'servers',
      'servers/files',
      'servers/files/start',
      'servers/files/mcp/x',
      'clients',
      'settings',
    ];
    const more = [
      'api',
      'config',
      'shutdown',
      'sse',
      'mcp/x',
      'sets',
      'sets/x',
      'sets/mcp',
      'servers/mcp',
      'metrics',
      'register',
      'healthz/x',
    ];
    for (const name of [...names, ...more]) {
      for (const method of METHODS)
        expect([name, method, (await asFirst({ method, path: `/${name}` })).status]).toEqual([
          name,
          method,
          404,
        ]);
    }
    const statuses = await Promise.all(
      METHODS.map(async (method) => [method, (await finite(method)).status]),
    );
    expect(Object.fromEntries(statuses)).toEqual({
      POST: 200,
      GET: 401,
      DELETE: 204,
      OPTIONS: 405,
      PUT: 405,
      HEAD: 405,
      PATCH: 405,
    });
    const tunnel = raw().send(`CONNECT 127.0.0.1:22 HTTP/1.1
Host: 127.0.0.1:${door.port}

`);
    expect(await tunnel.answered()).toBe(400);
  });

  // A stream would never end, so it is asked for without a token.
  const finite = (method: string) => asFirst({ method, token: method === 'GET' ? undefined : door.token });

  it('is told 404 with JSON, and without having to show a token, where clients look for an authorization server', async () => {
    for (const path of [
      '/register',
      '/.well-known/oauth-authorization-server',
      `/.well-known/oauth-protected-resource${PATH}`,
    ]) {
      const { status, text, headers } = await ask({ port: door.port, path, method: 'GET' });
      expect([status, JSON.parse(text) as unknown, headers['content-type']]).toEqual([
        404,
        { error: 'not_found' },
        'application/json',
      ]);
    }
    expect(door.refusals).toEqual([]);
  });
});

describe('what a server is told of a client (A14)', () => {
  it('holds no header but the two of the protocol, and no token', async () => {
    const headers = {
      Cookie: 'secret=1',
      'X-Forwarded-For': '10.0.0.1',
      'Mcp-Session-Id': 'abc',
      'MCP-Protocol-Version': '2025-11-25',
    };
    await asFirst({ headers, path: `${PATH}?secret=1` });
    const [{ request, message } = {}] = passed();
    expect({ request, message }).toEqual({
      request: {
        client: { id: expect.any(String) as unknown, name: 'first', scopes: ['mcp'] },
        server: 'files',
        sessionId: 'abc',
        protocolVersion: '2025-11-25',
      },
      message: JSON.parse(ping()) as unknown,
    });
    expect(JSON.stringify([request, message])).not.toMatch(/mcpcp_|secret|10\.0/);
  });
});

describe('secrets (A15)', () => {
  it('stand in no answer and in nothing that is told', async () => {
    const canary = 'CANARY-4711';
    const answers = [
      await asFirst({ token: canary }),
      await asFirst({ headers: { Host: canary } }),
      await asFirst({ headers: { Origin: canary } }),
      await asFirst({ headers: { 'Content-Type': canary } }),
      await asFirst({ path: `/${canary}` }),
      await asFirst({ path: `//${canary}` }),
      await asFirst({ method: 'GET', path: `/metrics?token=${canary}` }),
      await asFirst({ body: canary }),
      await asFirst({ body: JSON.stringify({ jsonrpc: canary }) }),
    ];
    for (const { status, text, headers } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text + JSON.stringify(headers)).not.toContain(canary);
    }
    expect(new Set(door.refusals.map(({ reason }) => reason)).size).toBeGreaterThan(4);
    expect(JSON.stringify(door.refusals)).not.toContain(canary);
  });
});

describe('tricks with paths and lengths (A19)', () => {
  const targets = [
    '/servers/files/../files/mcp',
    '/servers/../servers/files/mcp',
    '/servers/./files/mcp',
    '//servers/files/mcp',
    '/servers//files/mcp',
    '/servers/files/mcp/',
    '/servers/%2e%2e/mcp',
    '/servers/%2E%2e/mcp',
    '/%2e%2e/servers/files/mcp',
    '/servers/files%2fmcp',
    '/servers/files%2Fx/mcp',
    '/servers/files%5cx/mcp',
    '/servers/files\\mcp',
    '/servers/files%00/mcp',
    '/servers/%252e%252e/mcp',
    '/servers/files/mcp#x',
    '/servers/%zz/mcp',
    '/servers/fi%C0%AEles/mcp',
    'http://evil.example.com/servers/files/mcp',
    'http://127.0.0.1/servers/files/mcp',
    'servers/files/mcp',
    '*',
    '/SERVERS/files/mcp',
    '/servers/files/MCP',
    '/servers/files/mcp;x',
    '/servers/;/mcp',
  ];

  it.each(targets)('are refused: %s', async (target) => {
    const connection = raw().send(postOf(door.port, door.token, target));
    expect([400, 404]).toContain(await connection.answered());
    expect(passed()).toEqual([]);
    connection.close();
  });

  it.each([
    ['a length and parts', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['parts and a length', ['Transfer-Encoding: chunked', 'Content-Length: 5']],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 40']],
    ['a length that is none', ['Content-Length: +40']],
    ['an unknown coding', ['Transfer-Encoding: xchunked']],
    ['parts twice', ['Transfer-Encoding: chunked, chunked']],
    ['a space before the colon', ['Content-Length : 40']],
    ['a folded line', ['Content-Length: 40', ' X: y']],
    ['a second host', ['Content-Length: 40', 'Host: evil.example.com']],
    ['a second token', ['Content-Length: 40', 'Authorization: Bearer x']],
    ['a second session', ['Content-Length: 40', 'Mcp-Session-Id: a', 'Mcp-Session-Id: b']],
    ['a second type', ['Content-Length: 40', 'Content-Type: text/plain']],
  ])('are refused: %s', async (_, lines) => {
    const connection = raw().send(`${headOf(door.port, door.token, lines)}${ping()}`);
    expect(await connection.answered()).toBe(400);
    expect(passed()).toEqual([]);
    connection.close();
  });

  it('do not make the body of one request another one', async () => {
    const inner = postOf(door.port, other.token, PATH, ping('smuggled'));
    const connection = raw().send(
      `${headOf(door.port, 'wrong', [`Content-Length: ${Buffer.byteLength(inner)}`])}${inner}`,
    );
    expect(await connection.answered()).toBe(401);
    connection.send(postOf(door.port, door.token, PATH, ping('own')));
    await connection.until(() => connection.text.includes('"own"'));
    expect(door.edge.posts.map(({ message }) => message!.id)).toEqual(['own']);
    connection.close();
  });

  it('reach nobody, whatever the bytes of a path are', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'servers',
        'mcp',
        'files',
        '..',
        '.',
        '',
        '%2e',
        '%2f',
        '%5c',
        '\\',
        '//',
        ';',
        '#',
        '*',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 4 }),
    );
    const target = fc.array(segment, { maxLength: 6 }).map((parts) => parts.join('/'));
    await fc.assert(
      fc.asyncProperty(target, async (path) => {
        const isOurs = /^\/?servers\/[\w.-]+\/mcp(\?.*)?$|^\/mcp(\?.*)?$/.test(path);
        fc.pre(!isOurs && !/[\r\n ]/.test(path));
        const connection = raw().send(postOf(door.port, door.token, path));
        expect(await connection.answered()).toBeGreaterThanOrEqual(400);
        connection.close();
      }),
      { numRuns: propertyRuns(150) },
    );
    expect(passed()).toEqual([]);
  });
});
