import { isJsonObject } from '../../../../../shared/json-object.ts';
import type { OfferList } from '../../../../../shared/domain.ts';
import { PanelError } from '../../../../../shared/error-codes.ts';
import { INVALID_PARAMS, RpcError } from '../../../mcp/rpc-error.ts';
import type { SessionFacts } from '../../types.ts';
import type { CombinedItem, CombinedLists } from './combined-lists.ts';
import { mayBeOf, ownUri, plainItem } from './names.ts';

/** The servers and tools that one client can use through an endpoint that combines several servers. */
export interface Reach {
  /** Servers in the order of their names. */
  readonly servers: readonly string[];
  /** True if the endpoint includes this tool of the server. Tools that the user has hidden from this client are also removed. */
  readonly shows: (server: string, tool: string) => boolean;
}

export interface CombinedParts {
  readonly lists: CombinedLists;
  /** Returns what the client can use through the endpoint; undefined if there is no such endpoint. */
  readonly reachOf: (endpoint: string, clientId: string) => Reach | undefined;
  /** Returns one sentence that explains why the client cannot use a server of this name; undefined if it can. */
  readonly whyMissing: (server: string, clientId: string) => string | undefined;
  /** Returns the number of tokens in all tool definitions above which the client gets two search tools instead of the list. */
  readonly searchAboveTokens: () => number;
  readonly version: string;
}

type Found = Pick<CombinedItem, 'server' | 'id'>;

/** What an endpoint for several servers offers to one client, and on which server each item is. */
export class CombinedOffer {
  readonly #facts: SessionFacts;
  readonly #parts: CombinedParts;

  constructor(facts: SessionFacts, parts: CombinedParts) {
    this.#facts = facts;
    this.#parts = parts;
  }

  /** Returns the items of all servers, sorted by their combined names. */
  async items(list: OfferList): Promise<readonly CombinedItem[]> {
    const reach = this.reach();
    const items = await Promise.all(reach.servers.map((server) => this.#itemsOf(server, list, reach)));
    return items.flat().sort((one, other) => (one.combinedId < other.combinedId ? -1 : 1));
  }

  async #itemsOf(server: string, list: OfferList, { shows }: Reach): Promise<readonly CombinedItem[]> {
    const items = await this.#parts.lists.ofServer(list, this.factsFor(server));
    return list === 'tools' ? items.filter(({ id }) => shows(server, id)) : items;
  }

  /** Returns the server and name of a tool or prompt. @throws RpcError; PanelError TOOL_HIDDEN */
  async find(list: 'tools' | 'prompts', name: unknown): Promise<Found> {
    if (typeof name !== 'string') throw new RpcError(INVALID_PARAMS, 'Invalid params: expected a name');
    const reach = this.reach();
    const likely = reach.servers.filter((server) => mayBeOf(server, name));
    for (const server of likely) {
      const plain = plainItem(server, name);
      const found =
        plain ?? (await this.#itemsOf(server, list, reach)).find((item) => item.combinedId === name)?.id;
      if (found === undefined) continue;
      if (list === 'tools' && !reach.shows(server, found)) throw notInSet(found);
      return { server, id: found };
    }
    const server = likely[0] ?? name.slice(0, Math.max(0, name.indexOf('__')));
    const why = this.#parts.whyMissing(server, this.#facts.clientId) ?? `"${server}" has none of this name.`;
    const kind = list === 'tools' ? 'tool' : 'prompt';
    throw new RpcError(INVALID_PARAMS, `Unknown ${kind}: ${name.slice(0, 64)}. ${why}`);
  }

  /**
   * Returns the server of a resource, and its address there. An address without a server's prefix is assumed to come from an
   * answer of `lastServer`, unless exactly one server lists it.
   */
  async findResource(uri: unknown, lastServer: string | undefined): Promise<Found> {
    if (typeof uri !== 'string') throw new RpcError(INVALID_PARAMS, 'Invalid params: expected a uri');
    const { servers } = this.reach();
    for (const server of servers) {
      const own = ownUri(server, uri);
      if (own !== undefined) return { server, id: own };
    }
    const listed = (await this.items('resources')).filter(({ id }) => id === uri);
    const server = listed.length === 1 ? listed[0]!.server : lastServer;
    if (server !== undefined && servers.includes(server)) return { server, id: uri };
    throw new RpcError(RESOURCE_NOT_FOUND, `Resource not found: ${uri.slice(0, 200)}`);
  }

  async findReference(
    ref: unknown,
    lastServer: string | undefined,
  ): Promise<{ server: string; ref: object }> {
    if (isJsonObject(ref) && ref['type'] === 'ref/prompt') {
      const { server, id: name } = await this.find('prompts', ref['name']);
      return { server, ref: { ...ref, name } };
    }
    const { server, id: uri } = await this.findResource(
      isJsonObject(ref) ? ref['uri'] : undefined,
      lastServer,
    );
    return { server, ref: { ...(ref as object), uri } };
  }

  reach(): Reach {
    return (
      this.#parts.reachOf(this.#facts.server, this.#facts.clientId) ?? { servers: [], shows: () => false }
    );
  }

  /** Returns the facts for the client's inner session with one of the servers. */
  factsFor(server: string): SessionFacts {
    return { ...this.#facts, nonce: `${this.#facts.nonce}/${server}`, server };
  }
}

/** Error code that the MCP specification assigns to a resource that does not exist (resources, error handling). */
const RESOURCE_NOT_FOUND = -32002;

function notInSet(tool: string): PanelError {
  return new PanelError('TOOL_HIDDEN', `"${tool}" is not in this set.`, {
    remedy: 'Add it to the set in MCP Control Panel, under Clients.',
  });
}
