import { join } from 'node:path';
import { readCatalogueFile, type KeptServer } from '../gateway/catalogue/catalogue-file.ts';
import { isCombined } from '../../../shared/gateway-use.ts';
import type { SessionFacts } from '../gateway/types.ts';
import { listedBy } from '../sessions/offer/list-pages.ts';
import { stampOf, type ServedServers } from './served-servers.ts';

/** Capabilities of a server in its last run. */
interface Offer {
  readonly greeting: KeptServer['greeting'];
  readonly isShared: boolean;
  /** Returns the JSON text of the result of a list method; undefined if it was never read. */
  readonly list: (method: string) => Buffer | undefined;
}

const KEY = /^[0-9a-f]{40}$/;

/**
 * The servers of the data folder and their catalogue, as the panel has left them. Files are read for each question, and nothing
 * is cached.
 */
export class Offers {
  readonly #home: string;
  readonly #served: ServedServers | undefined;

  constructor(home: string, served: ServedServers | undefined) {
    this.#home = home;
    this.#served = served;
  }

  /** True if the panel has such a server, or if that is not known. */
  has(server: string): boolean {
    if (isCombined(server)) return true;
    const served = this.#current;
    return served === undefined || served.servers.has(server);
  }

  /** Returns the server's capabilities for such clients; undefined if they were never read. Never rejects. */
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

  /** Undefined once servers.json has changed, because a server may now be a different one, which only the panel can determine. */
  get #current(): ServedServers | undefined {
    return this.#served?.stamp === stampOf(this.#home) ? this.#served : undefined;
  }
}
