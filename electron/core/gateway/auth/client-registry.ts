import { PanelError } from '../../../../shared/error-codes.ts';
import type { TokenScope } from '../../../../shared/gateway.ts';
import type { Clock, WallClock, Disposable } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import type { FileProblem } from '../../files/edit-errors.ts';
import type { GatewayClient } from '../types.ts';
import {
  addClientEntry,
  changeEntry,
  removeClientEntry,
  clientNameSchema,
  type ClientEntry,
  writeSeen,
} from './clients-form.ts';
import { openClientsFile, type ClientsChange, type ClientsFile } from './clients-file.ts';
import {
  FormerTokens,
  type FormerRefusals,
  createNonce,
  type RandomBytes,
  createToken,
  hashToken,
  isSameHash,
  isToken,
} from './tokens.ts';

/** A client as the window lists it. Times are epoch milliseconds. */
export interface RegisteredClient extends GatewayClient {
  readonly createdAt?: number;
  readonly lastSeenAt?: number;
  /** Requests refused because of a renewed token; undefined once the client has sent its new token. */
  readonly refused?: FormerRefusals;
}

export interface NewRegistration {
  /** One line of 1 to 64 characters that no other client has. */
  readonly name: string;
  /** The only servers that the client may use; undefined allows all. */
  readonly servers?: readonly string[] | undefined;
  /** The client's permissions; undefined means `mcp` alone. */
  readonly scopes?: readonly TokenScope[] | undefined;
}

/** A new token. It is shown once, because only its hash is stored. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

export interface ClientRegistryOptions {
  /** Absolute path of clients.json; `.bak` and `.broken` stand beside it, see `EditedFile`. */
  readonly path: string;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly randomBytes: RandomBytes;
}

/** Opens clients.json and watches it until the caller disposes it. The file is created with the first client. Never rejects. */
export async function openClientRegistry(options: ClientRegistryOptions): Promise<ClientRegistry> {
  return new ClientRegistry(options, await openClientsFile(options));
}

/** Clients that may use the servers, found by the hash of their token. */
export class ClientRegistry {
  readonly #options: ClientRegistryOptions;
  readonly #file: ClientsFile;
  readonly #lastSeen: LastSeen;
  readonly #revoked = new Emitter<string>();
  readonly #tokenEnded = new Emitter<string>();
  readonly #changed = new Emitter<void>();
  /** Ids of clients that are refused already, while the file is still being written. */
  readonly #refused = new Set<string>();
  readonly #former: FormerTokens;
  #byHash = new Map<string, ClientEntry>();

  constructor(options: ClientRegistryOptions, file: ClientsFile) {
    this.#options = options;
    this.#file = file;
    this.#lastSeen = new LastSeen(options.clock, file);
    this.#former = new FormerTokens(options.wallClock);
    this.#index(file.current.entries);
    file.onChange((change) => this.#adopt(change));
  }

  /** The reason why a part of clients.json is not in force; undefined when all of it is. */
  get error(): FileProblem | undefined {
    return this.#file.current.error;
  }

  /** Clients in the order in which they were created. */
  list(): readonly RegisteredClient[] {
    return this.#file.current.entries.map((entry) => {
      const lastSeenAt = this.#lastSeen.at(entry.id) ?? entry.lastSeenAt;
      const { createdAt } = entry;
      const refused = this.#former.refusalsOf(entry.id);
      return {
        ...clientOf(entry),
        ...(createdAt !== undefined && { createdAt }),
        ...(lastSeenAt !== undefined && { lastSeenAt }),
        ...(refused && { refused }),
      };
    });
  }

  /** Resolves when the client may be used. @throws CONFIG_INVALID for its name; CONFIG_BROKEN or PERMISSION_DENIED when nothing was written */
  async create({ name, servers, scopes }: NewRegistration): Promise<IssuedToken> {
    const { randomBytes, wallClock } = this.#options;
    const [id, token] = [createNonce(randomBytes), createToken(randomBytes)];
    const entry = {
      id,
      name: checkedName(name),
      sha256: hashToken(token),
      servers,
      scopes: scopes ?? ['mcp'],
    };
    const createdAt = wallClock.epochMs();
    await this.#file.edit((content) => addClientEntry(content, { ...entry, createdAt }));
    return { id, token };
  }

  /** Issues a new token for the same client; the old one is void from then on. @throws CLIENT_UNKNOWN; as `create` */
  async renew(id: string): Promise<IssuedToken> {
    const token = createToken(this.#options.randomBytes);
    const sha256 = hashToken(token);
    await this.#file.edit((content) => changeEntry(content, id, { sha256 }));
    return { id, token };
  }

  /** Renames the client; its token and sessions stay. @throws CLIENT_UNKNOWN; as `create` */
  async rename(id: string, name: string): Promise<void> {
    const changed = { name: checkedName(name) };
    await this.#file.edit((content) => changeEntry(content, id, changed));
  }

  /** Changes which servers the client may use; undefined allows all. Its token stays, its sessions end. @throws CLIENT_UNKNOWN; as `create` */
  async limit(id: string, servers: readonly string[] | undefined): Promise<void> {
    await this.#file.edit((content) => changeEntry(content, id, { servers }));
  }

  /**
   * Revokes all access of the client at once; resolves when the change is on disk.
   * @throws CLIENT_UNKNOWN; CONFIG_BROKEN or PERMISSION_DENIED when the write failed: the revocation lasts until the panel ends.
   */
  async revoke(id: string): Promise<void> {
    const isKnown = this.#file.current.entries.some((entry) => entry.id === id);
    if (isKnown && !this.#refused.has(id)) {
      this.#refused.add(id);
      this.#end(id);
    }
    await this.#file.edit((content) => removeClientEntry(content, id));
  }

  /** Returns the token's client; undefined for an unknown or void token. */
  authenticate(token: string): GatewayClient | undefined {
    if (!isToken(token)) return undefined;
    const hash = hashToken(token);
    const entry = this.#byHash.get(hash);
    if (!entry || !isSameHash(entry.sha256, hash) || this.#refused.has(entry.id)) return undefined;
    return clientOf(entry);
  }

  /** Counts a request with a void token. Returns the name of the token's client, where it is known. */
  refuseFormer(token: string): string | undefined {
    return isToken(token) ? this.#former.refuse(hashToken(token)) : undefined;
  }

  /** Notes a request of the client in memory; it is written to disk at intervals. @param at epoch milliseconds */
  seen(id: string, at: number): void {
    this.#lastSeen.seen(id, at);
    this.#former.letIn(id);
  }

  /** Calls the listener after a client was removed by the window or from the file. Returns the unsubscribe function. */
  onRevoked(listener: (id: string) => void): () => void {
    return this.#revoked.subscribe(listener);
  }

  /** Calls the listener when a client's token loses rights: revoked, renewed, or given fewer servers. Returns the unsubscribe function. */
  onTokenEnded(listener: (id: string) => void): () => void {
    return this.#tokenEnded.subscribe(listener);
  }

  /** Calls the listener after a change of `list` or `error`, other than of last-seen times. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener);
  }

  /** Stops watching and writes the last-seen times. Idempotent. */
  async dispose(): Promise<void> {
    await this.#lastSeen.dispose();
    this.#file.dispose();
  }

  #adopt({ previous, current }: ClientsChange): void {
    this.#index(current.entries);
    for (const before of previous.entries) {
      const after = current.entries.find(({ id }) => id === before.id);
      const wasRefused = this.#refused.has(before.id);
      if (after?.sha256 !== before.sha256) this.#former.add(before.sha256, before);
      if (!after) this.#refused.delete(before.id);
      if (!after && !wasRefused) this.#end(before.id);
      if (after && !isSameReach(before, after)) this.#tokenEnded.emit(before.id);
    }
    this.#changed.emit();
  }

  #end(id: string): void {
    this.#lastSeen.forget(id);
    this.#tokenEnded.emit(id);
    this.#revoked.emit(id);
  }

  #index(entries: readonly ClientEntry[]): void {
    this.#byHash = new Map(entries.map((entry) => [entry.sha256, entry]));
  }
}

function clientOf({ id, name, servers, scopes }: ClientEntry): GatewayClient {
  return { id, name, scopes, ...(servers && { servers }) };
}

function isSameReach(one: ClientEntry, other: ClientEntry): boolean {
  const reachOf = ({ sha256, servers, scopes }: ClientEntry) => JSON.stringify([sha256, servers, scopes]);
  return reachOf(one) === reachOf(other);
}

function checkedName(name: string): string {
  const checked = clientNameSchema.safeParse(name);
  if (checked.success) return checked.data;
  throw new PanelError('CONFIG_INVALID', `name: ${checked.error.issues[0]?.message ?? 'not usable'}`, {
    data: { field: 'name' },
  });
}

/** Shortest interval between two writes of the last-seen times. */
const WRITE_MS = 60_000;

/** Last-seen times of clients: updated in memory at each request, and written to their file at intervals. */
export class LastSeen {
  readonly #clock: Clock;
  readonly #file: Pick<ClientsFile, 'edit'>;
  /** Epoch milliseconds by client id. */
  readonly #seenAt = new Map<string, number>();
  #timer: Disposable | undefined;

  constructor(clock: Clock, file: Pick<ClientsFile, 'edit'>) {
    this.#clock = clock;
    this.#file = file;
  }

  /** Last-seen time of the client; undefined when it was not seen since the start. */
  at(id: string): number | undefined {
    return this.#seenAt.get(id);
  }

  /** Notes the time in memory. @param at epoch milliseconds */
  seen(id: string, at: number): void {
    this.#seenAt.set(id, at);
    this.#timer ??= this.#clock.setTimeout(() => void this.#write(), WRITE_MS);
  }

  /** Drops the time of a removed client. */
  forget(id: string): void {
    this.#seenAt.delete(id);
  }

  /** Writes the times that are not on disk yet. Idempotent; never rejects. */
  async dispose(): Promise<void> {
    if (this.#timer) await this.#write();
  }

  async #write(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    // A failed write is repeated a minute after the next request; nothing else depends on it.
    await this.#file.edit((content) => writeSeen(content, this.#seenAt)).catch(() => undefined);
  }
}
