import { join } from 'node:path';
import { offerLists, type OfferList } from '../../../../shared/domain.ts';
import type { Clock, WallClock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import { listMethods } from '../../sessions/offer/list-pages.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { removeOldest } from '../../files/remove-oldest.ts';
import { CatalogueEntry } from './catalogue-entry.ts';
import type { KeptList } from './link-lists.ts';

export type ListMethod = (typeof listMethods)[OfferList];

/** One list of a server, all its pages joined; `result` is written to clients as it is. */
export interface CatalogueList extends KeptList {
  /** The running server says so; false for one that is down, was not read again yet, or said that it has changed. */
  readonly isFresh: boolean;
}

/** A list that was known before is another one now. */
export interface CatalogueChange {
  readonly key: string;
  readonly list: OfferList;
  readonly method: ListMethod;
}

export interface CatalogueOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Absolute; created where it is missing. */
  readonly folder: string;
  /** One line for people: a file that could not be read or written. */
  readonly notice: (line: string) => void;
}

/** Servers that are remembered at most, in memory and on disk: twice as many as a configuration may have. */
const MAX_SERVERS = 2000;

/**
 * What each server said last of itself and of what it offers, so that clients have it while the server is down. Keys are
 * `catalogueKey`s: a server may offer other things to clients that can be asked more.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #entries = new Map<string, CatalogueEntry>();
  readonly #changes = new Emitter<CatalogueChange>();

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** Removes the files of servers that nobody has heard of for longest. Never rejects. */
  async prune(): Promise<void> {
    const { folder, notice } = this.#options;
    await removeOldest(folder, MAX_SERVERS).catch((error: unknown) =>
      notice(`${folder} was not cleared of what is old: ${messageOf(error)}`),
    );
  }

  /** Reads what an earlier run of the panel kept, once. Resolves at once when that was done; never rejects. */
  async load(key: string): Promise<void> {
    await this.#entry(key).load();
  }

  /** The server's whole last answer to `initialize`; undefined before the first, or before `load`. */
  greeting(key: string): UpstreamLink['greeting'] | undefined {
    return this.#entries.get(key)?.greeting;
  }

  /** Undefined where no such list was ever read, or the server does not have it. A method that is none: undefined. */
  list(key: string, method: string): CatalogueList | undefined {
    const entry = this.#entries.get(key);
    const list = offerLists.find((name) => listMethods[name] === method);
    if (!entry || !list) return undefined;
    const kept = entry.lists.get(list);
    return kept && { ...kept, isFresh: entry.isFresh(list) };
  }

  /**
   * The server is up: its greeting is kept, and its lists are read over the link, now and whenever it says that they have
   * changed, until the link ends. Idempotent; further links of the same key are left alone while one is open.
   */
  learn(link: UpstreamLink, key: string): void {
    this.#entry(key).learn(link);
  }

  /** Lists that have changed after that time, in this run of the panel or an earlier one; undefined before `load`. */
  changedSince(key: string, epochMs: number): readonly OfferList[] | undefined {
    return this.#entries.get(key)?.changedSince(epochMs);
  }

  /** Told once per change, after the list was read. Returns the undo. */
  onChanged(listener: (change: CatalogueChange) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Resolves when what is to be kept is on disk. */
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
    const { clock, wallClock, folder, notice } = this.#options;
    const entry = new CatalogueEntry({
      clock,
      wallClock,
      path: join(folder, `${checkKey(key)}.json`),
      notice,
      onChanged: (list) => this.#changes.emit({ key, list, method: listMethods[list] }),
    });
    this.#entries.set(key, entry);
    this.#forgetOldest();
    return entry;
  }

  /** Each edit of a configuration that changes what is reached makes another key, and nobody asks for the former one. */
  #forgetOldest(): void {
    if (this.#entries.size <= MAX_SERVERS) return;
    const oldest = [...this.#entries].find(([, entry]) => entry.isAtRest);
    if (oldest) this.#entries.delete(oldest[0]);
  }
}

/** @param key `serverKey` of the configuration. @param capabilities class of the slot, where that is not the server's own run */
export function catalogueKey(key: string, capabilities?: string): string {
  return capabilities === undefined ? key : `${key}.${capabilities}`;
}

/** A key is a file's name, so nothing else may be one. @throws Error */
function checkKey(key: string): string {
  if (/^[0-9a-f]{64}(?:\.[a-z+]{1,40})?$/.test(key)) return key;
  throw new Error(`"${key}" is no key of a server.`);
}
