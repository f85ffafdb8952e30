import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  hostsOf,
  admit,
  MAX_BODY_BYTES,
  type GuardRules,
  type RequestHead,
} from '../../../../electron/core/gateway/http/guard.ts';
import type { GatewayClient } from '../../../../electron/core/gateway/types.ts';

const PATH = '/servers/files/mcp';

const clients: Readonly<Record<string, Partial<GatewayClient>>> = {
  all: {},
  one: { servers: ['files'] },
  other: { servers: ['mail'] },
  meter: { scopes: ['metrics'] },
};

const authenticate: GuardRules['clients']['authenticate'] = (token) =>
  Object.hasOwn(clients, token) ? { id: token, name: token, scopes: ['mcp'], ...clients[token] } : undefined;

const rules = (changes: Partial<GuardRules> = {}): GuardRules => ({
  hosts: hostsOf(7411),
  clients: { authenticate },
  hasPage: () => true,
  ...changes,
});

/** A request that may go on, with other headers; `undefined` leaves one out. */
function head(headers: IncomingHttpHeaders = {}, rest: Partial<RequestHead> = {}): RequestHead {
  return {
    method: 'POST',
    target: PATH,
    headers: {
      host: '127.0.0.1:7411',
      authorization: 'Bearer all',
      'content-type': 'application/json',
      ...headers,
    },
    rawHeaders: [],
    ...rest,
  };
}

/** The reason of a refusal, its status where there is none, or what is to be done. */
function verdictOf(request: RequestHead, changes?: Partial<GuardRules>): string | number {
  const verdict = admit(request, rules(changes));
  if (verdict.kind !== 'refused') return verdict.kind;
  return verdict.reason === undefined ? verdict.status : `${verdict.status} ${verdict.reason}`;
}

describe('a request of an honest client', () => {
  it.each(['POST', 'GET', 'DELETE'])('goes on with all that its head says (%s)', (method) => {
    const verdict = admit(
      head({ 'mcp-session-id': 'id', 'mcp-protocol-version': '2025-11-25' }, { method }),
      rules(),
    );
    expect(verdict).toEqual({
      kind: 'mcp',
      method,
      request: {
        client: { id: 'all', name: 'all', scopes: ['mcp'] },
        server: 'files',
        sessionId: 'id',
        protocolVersion: '2025-11-25',
      },
    });
  });

  it.each([
    ['localhost', { host: 'LOCALHOST:7411' }],
    ['IPv6', { host: '[::1]:7411' }],
    ['an origin of our own', { origin: 'http://localhost:7411' }],
    ['a charset', { 'content-type': 'application/json; charset=UTF-8' }],
    ['an encoding that is none', { 'content-encoding': 'identity' }],
    ['a body that just fits', { 'content-length': String(MAX_BODY_BYTES) }],
    ['a token for this server', { authorization: 'Bearer one' }],
  ])('goes on with %s', (_, headers) => {
    expect(verdictOf(head(headers))).toBe('mcp');
  });
});

describe('a request is refused', () => {
  it.each<[string, IncomingHttpHeaders, string]>([
    ['without a host', { host: undefined }, '403 host'],
    ['for another host', { host: 'panel.example:7411' }, '403 host'],
    ['for another port', { host: '127.0.0.1:7412' }, '403 host'],
    ['of a page', { origin: 'https://evil.example' }, '403 origin'],
    ['of a page without an origin to name', { origin: 'null' }, '403 origin'],
    ['of a page on another port', { origin: 'http://localhost:80' }, '403 origin'],
    ['of a page over another scheme', { origin: 'file://localhost:7411' }, '403 origin'],
    ['without a token', { authorization: undefined }, '401 token'],
    ['with an unknown token', { authorization: 'Bearer nobody' }, '401 token'],
    ['with another scheme', { authorization: 'Digest all' }, '401 token'],
    ['with a token for figures', { authorization: 'Bearer meter' }, '403 scope'],
    ['with a token for another server', { authorization: 'Bearer other' }, '403 scope'],
    ['without a type', { 'content-type': undefined }, '415 content-type'],
    ['with another type', { 'content-type': 'text/plain' }, '415 content-type'],
    ['with another charset', { 'content-type': 'application/json; charset=latin1' }, '415 content-type'],
    ['with an encoded body', { 'content-encoding': 'gzip' }, '415 content-type'],
    ['with a body too large', { 'content-length': String(MAX_BODY_BYTES + 1) }, '413 too-large'],
  ])('%s', (_, headers, reason) => {
    expect(verdictOf(head(headers))).toBe(reason);
  });

  it.each(['Host', 'origin', 'Authorization', 'content-type', 'Mcp-Session-Id', 'MCP-Protocol-Version'])(
    'with %s twice, whatever stands between',
    (name) => {
      const twice = [name, 'one', 'Accept', 'x', name.toLowerCase(), 'one'];
      expect(verdictOf(head({}, { rawHeaders: twice }))).toBe('400 malformed');
    },
  );

  it('not for a name that is the value of another header, or for headers that may come twice', () => {
    const rawHeaders = ['Host', 'origin', 'Accept', 'origin', 'accept', 'x'];
    expect(verdictOf(head({}, { rawHeaders }))).toBe('mcp');
  });

  it('with the methods that there are, where it has another one', () => {
    const verdict = admit(head({}, { method: 'PUT' }), rules());
    expect(verdict).toMatchObject({ status: 405, headers: { Allow: 'POST, GET, DELETE' } });
  });

  it('for its body only where it has one', () => {
    const headers = { 'content-type': undefined, 'content-length': '9999' };
    expect(verdictOf(head(headers, { method: 'GET' }))).toBe('mcp');
    expect(verdictOf(head(headers, { method: 'DELETE' }))).toBe('mcp');
  });

  it('with how to authenticate, and without a word of what it said', () => {
    const verdict = admit(head({ authorization: 'Bearer s3cret' }), rules());
    expect(verdict).toMatchObject({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
    expect(JSON.stringify(verdict)).not.toContain('s3cret');
  });

  it.each([PATH, '/', '/metrics', '/a//b'])('for its sender first, whatever it asks for (%s)', (target) => {
    for (const method of ['GET', 'PUT'])
      expect(verdictOf(head({ host: 'evil.example' }, { target, method }))).toBe('403 host');
  });

  it.each([
    ['/.well-known/oauth-authorization-server', 404],
    ['/servers/files', 404],
    ['/servers/files/../mail/mcp', '400 path'],
  ])('by its path before its token (%s)', (target, expected) => {
    expect(verdictOf(head({ authorization: undefined }, { target }))).toBe(expected);
  });
});

describe('a page', () => {
  const get = (target: string, authorization?: string) => head({ authorization }, { method: 'GET', target });

  it('of figures is for tokens of its scope, the one of health for everybody', () => {
    expect(verdictOf(get('/metrics', 'Bearer meter'))).toBe('page');
    expect(verdictOf(get('/metrics', 'Bearer all'))).toBe('403 scope');
    expect(verdictOf(get('/metrics'))).toBe('401 token');
    expect(admit(get('/healthz'), rules())).toEqual({ kind: 'page', page: 'healthz' });
  });

  it('is not there while it is switched off, each for itself', () => {
    const hasPage = (page: string) => page === 'healthz';
    expect(verdictOf(get('/metrics', 'Bearer meter'), { hasPage })).toBe(404);
    expect(verdictOf(get('/healthz'), { hasPage })).toBe('page');
  });

  it('is read and nothing else', () => {
    const verdict = admit(head({}, { target: '/healthz' }), rules());
    expect(verdict).toMatchObject({ status: 405, headers: { Allow: 'GET' } });
  });
});

describe('the form of the answer that a client takes', () => {
  it.each(['text/html', 'image/png, text/plain;q=0.5'])(
    'is refused with 406 where it is neither: %s',
    (accept) => {
      expect(verdictOf(head({ accept }))).toBe('406 malformed');
    },
  );

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'text/event-stream;q=0.1',
    'APPLICATION/JSON, text/event-stream',
    'text/html, application/*',
  ])('is welcome: %s', (accept) => {
    expect(verdictOf(head(accept === undefined ? {} : { accept }))).toBe('mcp');
  });

  it('matters to a POST alone', () => {
    expect(verdictOf(head({ accept: 'text/html' }, { method: 'DELETE' }))).toBe('mcp');
  });
});

it('a token of before is refused as any other, and whose it was is told to the person alone', () => {
  const verdict = admit(
    head({ authorization: 'Bearer old' }),
    rules({ clients: { authenticate, refuseFormer: () => 'cursor' } }),
  );
  expect(verdict).toMatchObject({ kind: 'refused', status: 401, clientName: 'cursor' });
  expect(JSON.stringify((verdict as { body: object }).body)).not.toContain('cursor');
});
