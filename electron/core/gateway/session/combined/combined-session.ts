import { loadsOnDemand } from '../../../../../shared/tool-price.ts';
import { isJsonObject } from '../../../../../shared/json-object.ts';
import type { OfferList } from '../../../../../shared/domain.ts';
import { METHOD_NOT_FOUND, RpcError } from '../../../mcp/rpc-error.ts';
import { listedBy } from '../../../sessions/offer/list-pages.ts';
import { wireErrorOf, type CallParams } from '../answers.ts';
import { ClientSession } from '../client-session.ts';
import { HeldSession, type SharedParts } from '../held-session.ts';
import type { ClientSessionView } from '../options.ts';
import type { GatewayReply, InboundMessage, MessageId, SessionFacts } from '../../types.ts';
import { changedLists, listChanged, type ChangedList } from '../../upstream/fan-out.ts';
import { CombinedOffer, type CombinedParts } from './combined-offer.ts';
import { InnerReply, silentReply } from './inner-reply.ts';
import { CALL_TOOL, FIND_TOOLS, searchTools, tokensOfAll, ToolSearch } from './tool-search.ts';

/** Maximum items of a page. */
const PAGE_ITEMS = 500;
/**
 * Notifications about requests in flight, which are forwarded to the servers. All other notifications are dropped, because they
 * have no meaning for several servers.
 */
const forwarded = ['notifications/cancelled', 'notifications/progress'];

/** One client's session with several servers at once. Each has its own inner session, created on first use by the client. */
export class CombinedSession extends HeldSession {
  readonly #parts: CombinedParts;
  readonly #offer: CombinedOffer;
  readonly #search = new ToolSearch();
  readonly #inner = new Map<string, ClientSession>();
  /** Server of the last tool call. If the client reads a link from a tool's answer, the link is looked up at this server. */
  #lastServer: string | undefined;
  /** Log level that the client set. */
  #level: unknown;

  constructor(facts: SessionFacts, clientName: string, shared: SharedParts, parts: CombinedParts) {
    super(facts, clientName, shared);
    this.#parts = parts;
    this.#offer = new CombinedOffer(facts, parts);
  }

  get isInUse(): boolean {
    return this.stream.open !== undefined || [...this.#inner.values()].some(({ isInUse }) => isInUse);
  }

  tick(nowMs: number): void {
    for (const inner of this.#inner.values()) inner.tick(nowMs);
  }

  override rest(): void {
    super.rest();
    for (const inner of this.#inner.values()) inner.rest();
  }

  end(why: string): void {
    for (const inner of this.#inner.values()) inner.end(why);
    this.stream.close();
  }

  views(nowMs: number): ClientSessionView[] {
    return [this.viewWith([]), ...[...this.#inner.values()].flatMap((inner) => inner.views(nowMs))];
  }

  /** Notifies the client that lists of one of its servers have changed. */
  offerChanged(lists: readonly ChangedList[] = changedLists): void {
    for (const list of lists) this.stream.owe(listChanged(list));
  }

  /** True if the client can use this server through the endpoint, so that a change of the server concerns the session. */
  reaches(server: string): boolean {
    return this.#offer.reach().servers.includes(server);
  }

  greet(id: MessageId, reply: GatewayReply): void {
    const { protocolVersion } = this.facts;
    const capabilities = {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    };
    const serverInfo = {
      name: 'mcp-control-panel',
      title: 'MCP Control Panel',
      version: this.#parts.version,
    };
    reply.end({ jsonrpc: '2.0', id, result: { protocolVersion, capabilities, serverInfo } });
  }

  listen(reply: GatewayReply): void {
    this.stream.listen(reply);
    for (const [server, inner] of this.#inner) inner.listen(new InnerReply(reply, server));
  }

  handle(message: InboundMessage, reply: GatewayReply): void {
    const { id, method, params = {} } = message;
    if (id !== undefined && method !== undefined) return this.#requested(id, method, params, reply);
    reply.status(202);
    if (method !== undefined && !forwarded.includes(method)) return;
    for (const inner of this.#inner.values()) inner.handle(message, silentReply);
  }

  #requested(id: MessageId, method: string, params: CallParams, reply: GatewayReply): void {
    this.stream.payTo(reply);
    this.#route(id, method, params, reply).then(
      (result) => result && reply.end({ jsonrpc: '2.0', id, result }),
      (error: unknown) => {
        const words = wireErrorOf(error, this.facts.server, this.shared.options.redact);
        reply.end({ jsonrpc: '2.0', id, error: words });
      },
    );
  }

  /**
   * Passes the request to the inner session of its server and returns undefined, or returns the result if no server is needed.
   * @throws RpcError, PanelError
   */
  async #route(
    id: MessageId,
    method: string,
    params: CallParams,
    reply: GatewayReply,
  ): Promise<object | undefined> {
    const list = listedBy(method);
    if (list !== undefined) return this.#page(list, params['cursor']);
    const pass = (server: string, changed: CallParams) => {
      if (method === 'tools/call') this.#lastServer = server;
      const inner = this.#innerOf(server);
      inner.handle(
        { jsonrpc: '2.0', id, method, params: { ...params, ...changed } },
        new InnerReply(reply, server),
      );
      return undefined;
    };
    const { name, uri, arguments: args } = params;
    switch (method) {
      case 'ping':
        return {};
      case 'logging/setLevel':
        this.#level = params['level'];
        for (const inner of this.#inner.values()) this.#setLevel(inner);
        return {};
      case 'tools/call': {
        if (name === FIND_TOOLS) return this.#search.answer(await this.#offer.items('tools'), args);
        const isWrapped = name === CALL_TOOL && isJsonObject(args);
        const { server, id: tool } = await this.#offer.find('tools', isWrapped ? args['name'] : name);
        return pass(server, { name: tool, ...(isWrapped && { arguments: args['arguments'] ?? {} }) });
      }
      case 'prompts/get': {
        const { server, id: prompt } = await this.#offer.find('prompts', name);
        return pass(server, { name: prompt });
      }
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe': {
        const { server, id: own } = await this.#offer.findResource(uri, this.#lastServer);
        return pass(server, { uri: own });
      }
      case 'completion/complete': {
        const { server, ref } = await this.#offer.findReference(params['ref'], this.#lastServer);
        return pass(server, { ref });
      }
      default:
        throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
    }
  }

  async #page(list: OfferList, cursor: unknown): Promise<object> {
    const items = await this.#offer.items(list);
    const limit = this.#parts.searchAboveTokens();
    if (
      list === 'tools' &&
      limit > 0 &&
      !loadsOnDemand(this.facts.info?.name ?? '') &&
      tokensOfAll(items) > limit
    )
      return { tools: searchTools };
    const after = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
    const start = items.findIndex(({ combinedId }) => combinedId > after);
    const page = start === -1 ? [] : items.slice(start, start + PAGE_ITEMS);
    const hasMore = start !== -1 && start + PAGE_ITEMS < items.length;
    const nextCursor = Buffer.from(page.at(-1)?.combinedId ?? '').toString('base64url');
    return { [list]: page.map(({ value }) => value), ...(hasMore && { nextCursor }) };
  }

  #innerOf(server: string): ClientSession {
    let inner = this.#inner.get(server);
    if (!inner) {
      // The inner session's start is set to now, so that it does not report earlier changes, which the combined session has
      // already reported.
      const issuedAt = this.shared.options.wallClock.epochMs();
      inner = new ClientSession({ ...this.#offer.factsFor(server), issuedAt }, this.clientName, this.shared);
      this.#inner.set(server, inner);
      if (this.#level !== undefined) this.#setLevel(inner);
      const { open } = this.stream;
      if (open) inner.listen(new InnerReply(open, server));
    }
    inner.seen(this.clientName);
    return inner;
  }

  /** Sends the client's log level to a server. A server without a logging capability refuses it, which can be ignored. */
  #setLevel(inner: ClientSession): void {
    const params = { level: this.#level };
    inner.handle({ jsonrpc: '2.0', id: 0, method: 'logging/setLevel', params }, silentReply);
  }
}
