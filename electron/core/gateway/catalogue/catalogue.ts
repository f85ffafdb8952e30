import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfferList } from '../../../../shared/domain.ts';
import type { Clock, WallClock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import { listMethods, listedBy } from '../../sessions/offer/list-pages.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { removeOldest } from '../../files/remove-oldest.ts';
import { capabilityClasses } from '../types.ts';
import { AgreedOffer } from '../agreed/agreed-offer.ts';
import { CatalogueEntry } from './catalogue-entry.ts';
import type { KeptList } from './catalogue-file.ts';
import { KnownTools, type KnownTool } from '../../sessions/offer/known-tools.ts';
import type { CatalogueLink } from './link-lists.ts';

type ListMethod = (typeof listMethods)[OfferList];

/** One list of a server, with the items of all its pages combined; `result` is written to clients unchanged. */
export interface CatalogueList extends KeptList {
  /**
   * True if the running server has sent exactly this list. False while the server is down. Also false after the server has
   * reported a change, until the list is read again.
   */
  readonly isFresh: boolean;
}

/** Tells that a list of a server was read and differs from the one known before. */
export interface CatalogueChange {
  readonly key: string;
  readonly list: OfferList;
  readonly method: ListMethod;
}

interface CatalogueOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Absolute path of the folder; created when missing. */
  readonly folder: string;
  /** Returns the name of a server's file, 40 hexadecimal digits. Usually `SessionIds.nameOf`. */
  readonly nameOf: (key: string) => string;
  /** Absolute path of the folder with the content that users have accepted. Created if missing. */
  readonly agreedFolder: string;
  /** Returns the version of a server's installed package, if known. Never rejects. */
  readonly installedOf: (server: string) => Promise<string | undefined>;
  /**
   * Called when the changes that a server made to its descriptions, and that the user should look at, may be different from
   * before. @param server key of the server, without a capability class
   */
  readonly onAgreedChanged: (server: string) => void;
  /** Receives one line for the user about a file that could not be read or written. */
  readonly notice: (line: string) => void;
}

/** Maximum servers in memory and on disk: twice as many as a configuration may have. */
const MAX_SERVERS = 2000;
const FORMER_NAME = /^[0-9a-f]{64}(?=\.)/;

/**
 * Keeps the last `initialize` result and the last lists of each server, so that clients get them even while the server is down.
 * The entries have a `catalogueKey`, which includes the capability class of the clients, because a server may offer more to
 * clients with more capabilities.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #entries = new Map<string, CatalogueEntry>();
  readonly #tools = new KnownTools();
  readonly #changes = new Emitter<CatalogueChange>();
  readonly #firsts = new Emitter<CatalogueChange>();

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /**
   * Removes the files that were written least recently if there are more than `MAX_SERVERS`, and renames files whose names have
   * the former format. Never rejects.
   */
  async prune(): Promise<void> {
    const { folder, notice } = this.#options;
    try {
      await removeOldest(folder, MAX_SERVERS);
      await this.#renameFormer();
    } catch (error) {
      notice(`${folder} still has old files that could not be removed: ${messageOf(error)}`);
    }
  }

  /**
   * Renames files whose name contains the plain key of the server, as all names formerly did. From such a name, somebody could
   * find out a short secret in the server's entry by trying values.
   */
  async #renameFormer(): Promise<void> {
    const { folder, nameOf } = this.#options;
    for (const file of existsSync(folder) ? await readdir(folder) : []) {
      const key = FORMER_NAME.exec(file)?.[0];
      if (key === undefined) continue;
      await rename(join(folder, file), join(folder, `${nameOf(key)}${file.slice(key.length)}`));
    }
  }

  /** Reads the server's file of an earlier app run, at most once. Resolves immediately if it was read before; never rejects. */
  async load(key: string): Promise<void> {
    await this.#entry(key).load();
  }

  /** Returns the server's last complete initialize result; undefined if it never sent one, or before `load`. */
  greeting(key: string): CatalogueLink['greeting'] | undefined {
    return this.#entries.get(key)?.greeting;
  }

  /** Returns the list; undefined if it was never read, if the server lacks it, or for a method that lists nothing. */
  list(key: string, method: string): CatalogueList | undefined {
    const entry = this.#entries.get(key);
    const list = listedBy(method);
    if (!entry || !list) return undefined;
    const kept = entry.lists.get(list);
    return kept && { ...kept, isFresh: entry.isFresh(list) };
  }

  /** Returns what the user has accepted of a server, once for each capability class of clients for which something is known. */
  agreedOf(server: string): readonly AgreedOffer[] {
    const keys = [undefined, ...capabilityClasses].map((capabilities) => catalogueKey(server, capabilities));
    return keys.flatMap((key) => this.agreed(key) ?? []);
  }

  /** Returns what the user has accepted of the server's lists; undefined before `load` or `learn`. */
  agreed(key: string): AgreedOffer | undefined {
    return this.#entries.get(key)?.agreed;
  }

  /** Returns a promise that settles when the tools of a new connection are read; undefined if nothing needs to be waited for. */
  whenRead(key: string): Promise<unknown> | undefined {
    return this.#entries.get(key)?.whenRead();
  }

  /** Returns the tools by name; empty if their list is not known. */
  tools(key: string): ReadonlyMap<string, KnownTool> {
    return this.#tools.in(this.#entries.get(key)?.lists.get('tools')?.result);
  }

  /**
   * Follows a running server: stores its initialize result, and reads its lists now and after each reported change, until the
   * connection ends. Idempotent; further connections of the same key are ignored while one is open.
   */
  learn(link: CatalogueLink, key: string): void {
    this.#entry(key).learn(link);
  }

  /** Returns the lists that changed after that time, in this app run or an earlier one; undefined before `load`. */
  changedSince(key: string, epochMs: number): readonly OfferList[] | undefined {
    return this.#entries.get(key)?.changedSince(epochMs);
  }

  /** Calls the listener once per change, after the list was read. Returns the unsubscribe function. */
  onChanged(listener: (change: CatalogueChange) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Same as `onChanged`, for a list that was never known before. */
  onFirst(listener: (change: CatalogueChange) => void): () => void {
    return this.#firsts.subscribe(listener);
  }

  /** Resolves when everything to be stored is on disk. */
  async dispose(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => entry.dispose()));
  }

  #entry(key: string): CatalogueEntry {
    const known = this.#entries.get(key);
    if (known) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    const { clock, wallClock, folder, agreedFolder, nameOf, notice, installedOf, onAgreedChanged } =
      this.#options;
    const [server, capabilities] = partsOf(key);
    const file = `${nameOf(server)}${capabilities}.json`;
    const agreed = new AgreedOffer(join(agreedFolder, file), () => onAgreedChanged(server), notice);
    const entry = new CatalogueEntry({
      agreed,
      installed: () => installedOf(server),
      clock,
      wallClock,
      path: join(folder, file),
      notice,
      onChanged: (list) => this.#changes.emit({ key, list, method: listMethods[list] }),
      onFirst: (list) => this.#firsts.emit({ key, list, method: listMethods[list] }),
    });
    this.#entries.set(key, entry);
    this.#forgetOldest();
    return entry;
  }

  /**
   * Drops the oldest unused entry, because each edit of a server's target creates a new key and leaves the previous key unused.
   */
  #forgetOldest(): void {
    if (this.#entries.size <= MAX_SERVERS) return;
    const oldest = [...this.#entries].find(([, entry]) => entry.isAtRest);
    if (oldest) this.#entries.delete(oldest[0]);
  }
}

/**
 * Returns the key of a catalogue entry. @param key `serverKey` of the configuration @param capabilities capability class of the
 * clients that share the instance; undefined for the main instance
 */
export function catalogueKey(key: string, capabilities?: string): string {
  return capabilities === undefined ? key : `${key}.${capabilities}`;
}

/**
 * Splits a catalogue key into the key of the server and the suffix with the capability class. Both become parts of a file name.
 * @throws Error if the text is not a catalogue key
 */
function partsOf(key: string): readonly [server: string, capabilities: string] {
  const [, server, capabilities = ''] = /^([0-9a-f]{64})(\.[a-z+]{1,40})?$/.exec(key) ?? [];
  if (server !== undefined) return [server, capabilities];
  throw new Error(`"${key}" is not the key of a server.`);
}
