import { join } from 'node:path';
import { readCatalogueFile, type KeptServer } from '../gateway/catalogue/catalogue-file.ts';
import { isCombined } from '../../../shared/gateway-use.ts';
import type { SessionFacts } from '../gateway/types.ts';
import { listedBy } from '../sessions/offer/list-pages.ts';
import { stampOf, type ServedServers } from './served-servers.ts';

/** What a server offered in its last run: its answer to `initialize`, and its lists of tools, resources and prompts. */
interface Offer {
  readonly greeting: KeptServer['greeting'];
  readonly isShared: boolean;
  /** Returns the JSON text of the result of a list method; undefined if it was never read. */
  readonly list: (method: string) => Buffer | undefined;
}

const KEY = /^[0-9a-f]{40}$/;

/**
 * The servers of the panel and what they offer, as the panel last stored it in the catalogue, a folder with one file per
 * server. Each call reads the file again, and nothing is cached.
 */
export class Offers {
  readonly #home: string;
  readonly #served: ServedServers | undefined;

  constructor(home: string, served: ServedServers | undefined) {
    this.#home = home;
    this.#served = served;
  }

  /**
   * True if the panel has a server with this name. Also true if servers.json has changed since the panel stored its servers,
   * because their names are then unknown.
   */
  has(server: string): boolean {
    if (isCombined(server)) return true;
    const served = this.#current;
    return served === undefined || served.servers.has(server);
  }

  /** Returns what the server offers to clients with these capabilities; undefined if the panel never stored it. Never rejects. */
  async find({ server, capabilities }: SessionFacts): Promise<Offer | undefined> {
    const { key, isShared } = this.#current?.servers.get(server) ?? {};
    if (key === undefined || isShared === undefined || !KEY.test(key)) return undefined;
    const file = `${isShared ? key : `${key}.${capabilities}`}.json`;
    const kept = await readCatalogueFile(join(this.#home, 'catalogue', file)).catch(() => undefined);
    const listFor = (method: string) => {
      const list = listedBy(method);
      return list && kept?.lists.get(list)?.result;
    };
    return kept && { greeting: kept.greeting, isShared, list: listFor };
  }

  /** Undefined once servers.json has changed, because only the panel can tell whether a name now refers to another server. */
  get #current(): ServedServers | undefined {
    return this.#served?.stamp === stampOf(this.#home) ? this.#served : undefined;
  }
}
