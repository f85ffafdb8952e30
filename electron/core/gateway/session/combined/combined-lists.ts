import type { OfferList } from '../../../../../shared/domain.ts';
import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import { serverKeys } from '../../../config/server-key.ts';
import { listMethods } from '../../../sessions/offer/list-pages.ts';
import { catalogueKey } from '../../catalogue/catalogue.ts';
import { seenList } from '../agreed.ts';
import type { ClientSessionsOptions } from '../options.ts';
import type { SessionFacts } from '../../types.ts';
import { combinedName, combinedUri } from './names.ts';

/** A tool, prompt, resource or resource template of one server, in a list that combines several servers. */
export interface CombinedItem {
  readonly server: string;
  /** Name or address of the item at its server. */
  readonly id: string;
  /** Name or address of the item in the combined list, where it is unique across all servers. */
  readonly combinedId: string;
  /** The item as the server describes it, under its combined name. */
  readonly value: JsonObject;
}

type Options = Pick<ClientSessionsOptions, 'catalogue' | 'clients' | 'servers' | 'sharingOf'>;

const fields = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
} as const;

/**
 * Lists that combine the items of several servers, as one client sees them. They are built from the stored lists in the
 * catalogue, so no server is started for them.
 */
export class CombinedLists {
  readonly #options: Options;
  readonly #keyOf = serverKeys();
  /** Parsed lists of the catalogue; each is parsed only once. */
  readonly #parsed = new WeakMap<Buffer, JsonObject>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Returns the items of one server; none if the server is disabled or its list is not stored yet. @param facts facts of the
   * client's session with this server
   */
  async ofServer(list: OfferList, facts: SessionFacts): Promise<readonly CombinedItem[]> {
    const { catalogue, clients, servers, sharingOf } = this.#options;
    const { server, clientId: client } = facts;
    const config = servers.find(server)?.config;
    if (config?.enabled !== true) return [];
    const ownKey = this.#keyOf(config);
    const { clientCapabilities } = sharingOf(config, facts).slot;
    // A connection that declares this client's capabilities may list more items than the server's main instance, so its stored
    // list is tried first.
    const keys = [...(clientCapabilities ? [catalogueKey(ownKey, facts.capabilities)] : []), ownKey];
    for (const key of keys) {
      await catalogue.load(key);
      await catalogue.whenRead(key);
      const kept = catalogue.list(key, listMethods[list]);
      if (!kept) continue;
      const offer = { catalogue, key, client, hidden: clients?.hiddenFrom(client, server) };
      const seen = seenList(offer, list, { kind: 'parsed', result: this.#parse(kept.result) });
      return seen.kind === 'parsed' ? itemsOf(list, server, seen.result[list]) : [];
    }
    return [];
  }

  #parse(result: Buffer): JsonObject {
    const known = this.#parsed.get(result);
    if (known) return known;
    const parsed = JSON.parse(result.toString()) as JsonObject;
    this.#parsed.set(result, parsed);
    return parsed;
  }
}

function itemsOf(list: OfferList, server: string, items: unknown): readonly CombinedItem[] {
  const field = fields[list];
  const combined = field === 'name' ? combinedName : combinedUri;
  return (Array.isArray(items) ? (items as unknown[]) : []).flatMap((value) => {
    if (!isJsonObject(value)) return [];
    const id = value[field];
    if (typeof id !== 'string') return [];
    const combinedId = combined(server, id);
    return [{ server, id, combinedId, value: { ...value, [field]: combinedId } }];
  });
}
