import { PanelError } from '../../../../shared/error-codes.ts';
import { Emitter } from '../../../../electron/core/emitter.ts';
import type {
  CatalogueChange,
  CatalogueList,
} from '../../../../electron/core/gateway/catalogue/catalogue.ts';
import { ClientSessions } from '../../../../electron/core/gateway/session/client-sessions.ts';
import type {
  ClientSessionsOptions,
  KnownOffers,
  LeaseSource,
  RelayedCall,
} from '../../../../electron/core/gateway/session/options.ts';
import type { InboundMessage, SessionFacts } from '../../../../electron/core/gateway/types.ts';
import { ownSlot } from '../../../../electron/core/sessions/session-policy.ts';
import type { RawResult } from '../../../../electron/core/mcp/long-message.ts';
import type { CallOptions } from '../../../../electron/core/mcp/mcp-connection.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { createFakeSupervision, type FakeServer } from '../../sessions/fake-supervised.ts';
import { tinyServer } from '../../../fixtures/fixture-server.ts';
import { stdioConfig } from '../../sessions/fake-servers.ts';
import type { Clock, WallClock } from '../../../../electron/core/clock.ts';
import { FakeReply } from './fake-reply.ts';

/** What a server was asked, until the test answers. */
export interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  readonly options: CallOptions;
  answer(result: RawResult | Record<string, unknown>): void;
  fail(error: unknown): void;
}

/** Ids that open as long as they are not retired; nothing is sealed. */
class FakeSessionIds {
  readonly #retired = new Set<string>();
  mint = (facts: SessionFacts): string => JSON.stringify(facts);
  open = (id: string): SessionFacts | undefined => {
    if (!id.startsWith('{')) return undefined;
    const facts = JSON.parse(id) as SessionFacts;
    return this.#retired.has(facts.nonce) ? undefined : facts;
  };
  retire = async ({ nonce }: SessionFacts): Promise<void> => void this.#retired.add(nonce);
}

/** What was learnt is what the test says. */
class FakeCatalogue implements KnownOffers {
  known: { greeting?: ReturnType<KnownOffers['greeting']>; lists: Record<string, string> } = { lists: {} };
  readonly learnt: string[] = [];
  readonly changes = new Emitter<CatalogueChange>();
  load = async () => undefined;
  greeting = () => this.known.greeting;
  list = (_key: string, method: string) => {
    const text = this.known.lists[method];
    if (text === undefined) return undefined;
    return { result: Buffer.from(text), isWhole: true, isFresh: false } as CatalogueList;
  };
  learn: KnownOffers['learn'] = (_link, key) => void this.learnt.push(key);
  changedSince: KnownOffers['changedSince'] = () => [];
  tools: KnownOffers['tools'] = () => new Map();
  agreed: KnownOffers['agreed'] = () => undefined;
  whenRead: KnownOffers['whenRead'] = () => undefined;
  onChanged: KnownOffers['onChanged'] = (listener) => this.changes.subscribe(listener);
}

export interface EdgeParts {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly sessions: LeaseSource;
  readonly servers: ClientSessionsOptions['servers'];
  readonly catalogue?: KnownOffers;
  readonly sharingOf?: ClientSessionsOptions['sharingOf'];
  readonly onTurnWaited?: ClientSessionsOptions['onTurnWaited'];
}

/** An edge over any sessions, with clients that speak to it. */
export function createClients(parts: EdgeParts) {
  const sessionIds = new FakeSessionIds();
  const ended: RelayedCall[] = [];
  const refusedAsks: string[] = [];
  /** Orders of answers that servers have shown. */
  const orders: string[] = [];
  const settings = { startOnDemand: true };
  let nonces = 0;
  const create = () =>
    new ClientSessions({
      catalogue: new FakeCatalogue(),
      sharingOf: () => ({ slot: ownSlot, answersInTurn: false }),
      onTurnWaited: () => undefined,
      onAnswerOrder: (_server, order) => orders.push(order),
      ...parts,
      startOnDemand: () => settings.startOnDemand,
      redact: (text) => text.replaceAll('s3cret', '***'),
      askIdPrefix: 'ask',
      onAskRefused: ({ method, reason }) => refusedAsks.push(`${method}: ${reason}`),
      onCallEnded: (call) => ended.push(call),
      sessionIds,
      createNonce: () => `nonce-${(nonces += 1)}`,
      onChange: () => undefined,
    });
  const edge = { current: create() };
  const newClient = (name: string, server = 'one') => new TestClient(() => edge.current, name, server);
  return { edge, create, ended, orders, refusedAsks, settings, newClient };
}

/** A client of the gateway, below HTTP. */
export class TestClient {
  sessionId: string | undefined;
  protocolVersion: string | undefined;
  readonly #edge: () => ClientSessions;
  readonly #name: string;
  readonly #server: string;

  constructor(edge: () => ClientSessions, name: string, server: string) {
    this.#edge = edge;
    this.#name = name;
    this.#server = server;
  }

  post(message: Omit<InboundMessage, 'jsonrpc'>): FakeReply {
    const reply = new FakeReply();
    this.#edge().post(this.#request(), { jsonrpc: '2.0', ...message }, reply);
    return reply;
  }
  request(id: number | string, method: string, params?: Record<string, unknown>): FakeReply {
    return this.post({ id, method, ...(params && { params }) });
  }
  tool(id: number | string, name: string, args: Record<string, unknown> = {}): FakeReply {
    return this.request(id, 'tools/call', { name, arguments: args, _meta: { progressToken: id } });
  }
  initialize(params: Record<string, unknown> = {}): FakeReply {
    const reply = this.request(0, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      ...params,
    });
    this.sessionId = reply.headers['Mcp-Session-Id'];
    return reply;
  }
  listen(): FakeReply {
    const reply = new FakeReply();
    this.#edge().listen(this.#request(), reply);
    return reply;
  }
  end(): FakeReply {
    const reply = new FakeReply();
    this.#edge().end(this.#request(), reply);
    return reply;
  }

  #request() {
    return {
      client: { id: `id of ${this.#name}`, name: this.#name, scopes: ['mcp' as const] },
      server: this.#server,
      sessionId: this.sessionId,
      protocolVersion: this.protocolVersion,
    };
  }
}

/** Clients of one fake server named "one", whose every answer the test makes. */
export function createEdgeBench(config: ServerConfig = stdioConfig('one', tinyServer())) {
  const supervision = createFakeSupervision(config);
  const { server, clock, sessions } = supervision;
  const asked: Asked[] = [];
  const listed = { isThere: true };
  const becomeReady = server.becomeReady.bind(server);
  server.becomeReady = () => {
    becomeReady();
    takeRequests(server, asked);
  };
  const catalogue = new FakeCatalogue();
  const clients = createClients({
    clock,
    wallClock: clock,
    sessions,
    catalogue,
    servers: {
      find: (name) => (name === server.name && listed.isThere ? server : undefined),
    },
  });
  const settle = () => clock.advance(0);
  return { ...supervision, ...clients, catalogue, asked, listed, settle };
}

/** Each request waits for the test; those under way end with the connection. */
function takeRequests({ connection }: FakeServer, asked: Asked[]): void {
  if (!connection) throw new Error('It is not ready.');
  const crashed = new PanelError('CRASHED', 'It was ended by s3cret.');
  const take = (method: string, params: Asked['params'], options: CallOptions = {}) =>
    new Promise<RawResult>((resolve, reject) => {
      asked.push({
        method,
        params,
        options,
        answer: (result) =>
          resolve('kind' in result ? (result as RawResult) : { kind: 'parsed', result: { ...result } }),
        fail: reject,
      });
      void connection.closed.then(() => reject(crashed));
      options.cancellation?.addEventListener('abort', () => reject(new PanelError('CANCELLED', 'cancelled')));
    });
  connection.requestRaw = (method: string, params?: Record<string, unknown>, options?: CallOptions) =>
    take(method, params, options);
  connection.request = async (method: string, params?: Record<string, unknown>) => {
    const raw = await take(method, params);
    return raw.kind === 'parsed' ? raw.result : {};
  };
}
