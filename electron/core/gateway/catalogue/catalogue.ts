import type { Clock } from '../../clock.ts';
import type { UpstreamLink } from '../../sessions/supervised-link.ts';

export type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';

/** One list of a server, all its pages joined. */
export interface CatalogueList {
  /** The JSON text of the result, `{"tools":[…]}`, in UTF-8: it is written to clients as it is. Never changed in place. */
  readonly result: Buffer;
  readonly count: number;
  /** False where the server's list was too long to be kept, or its end did not come: a client of a running server should ask the server. */
  readonly isWhole: boolean;
  /** The running server says so; false for one that is down, was not read again yet, or said that it has changed. */
  readonly isFresh: boolean;
  /** SHA-256 of what the list says, 64 hexadecimal digits: equal as long as no item changes. */
  readonly hash: string;
}

/** The catalogue's entry of one list has another content now. */
export interface CatalogueChange {
  readonly key: string;
  readonly method: ListMethod;
}

export interface CatalogueOptions {
  readonly clock: Clock;
  /** Absolute; created where it is missing. */
  readonly folder: string;
  readonly notice: (line: string) => void;
}

/**
 * What each server said last of itself and of what it offers, so that clients have it while the server is down. Keys are
 * `catalogueKey`s: a server may offer other things to clients that can be asked more.
 */
export declare class Catalogue {
  constructor(options: CatalogueOptions);
  /** Reads what an earlier run of the panel kept, once. Resolves at once when it has been read; never rejects. */
  load(key: string): Promise<void>;
  /** The server's whole last answer to `initialize`; undefined before the first, or before `load`. */
  greeting(key: string): UpstreamLink['greeting'] | undefined;
  /** Undefined where no such list was ever read, or the server does not have it. */
  list(key: string, method: ListMethod): CatalogueList | undefined;
  /** SHA-256 of each tool's definition by the tool's name, whatever the order of its keys. */
  toolHashes(key: string): ReadonlyMap<string, string>;
  /** The server is up: its greeting is kept, its lists are read over the link, now and whenever it says that they changed. Idempotent; ends with the link. */
  learn(link: UpstreamLink, key: string): void;
  /** A list that was known before is another one now. Told once per change, after it was read. Returns the undo. */
  onChanged(listener: (change: CatalogueChange) => void): () => void;
  /** Resolves when what is to be kept is on disk. */
  dispose(): Promise<void>;
}

/** @param key `serverKey` of the configuration. @param capabilityClass of the slot, where it is not the server's own run */
export declare function catalogueKey(key: string, capabilityClass?: string): string;
