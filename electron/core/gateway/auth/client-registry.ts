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

/** A client as the window lists it. Times are milliseconds since 1970. */
export interface RegisteredClient extends GatewayClient {
  readonly createdAt?: number;
  readonly lastSeenAt?: number;
  /** It came with a token that was renewed, and has not come with the new one since. */
  readonly refused?: FormerRefusals;
}

export interface NewRegistration {
  /** One line of 1 to 64 characters that no other client has. */
  readonly name: string;
  /** The only servers that it may use; all without it. */
  readonly servers?: readonly string[] | undefined;
  /** What it may do; `mcp` without it. */
  readonly scopes?: readonly TokenScope[] | undefined;
}

/** A token that is told this once: only its hash is kept. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

export interface ClientRegistryOptions {
  /** clients.json, absolute. Beside it stand `.bak` and `.broken`; see `EditedFile`. */
  readonly path: string;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly randomBytes: RandomBytes;
}

/** Opens clients.json and watches it until disposed. Nothing is created before the first client. The caller disposes. Never rejects. */
export async function openClientRegistry(options: ClientRegistryOptions): Promise<ClientRegistry> {
  return new ClientRegistry(options, await openClientsFile(options));
}

/** Who may use the servers, by the hash of a token. */
export class ClientRegistry {
  readonly #options: ClientRegistryOptions;
  readonly #file: ClientsFile;
  readonly #lastSeen: LastSeen;
  readonly #revoked = new Emitter<string>();
  readonly #tokenEnded = new Emitter<string>();
  readonly #changed = new Emitter<void>();
  /** Refused already, while the file is still being written. */
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

  /** Why something that stands in clients.json is not in force. */
  get error(): FileProblem | undefined {
    return this.#file.current.error;
  }

  /** In the order in which they were made. */
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

  /** Resolves when it may be used. @throws CONFIG_INVALID for its name; CONFIG_BROKEN or PERMISSION_DENIED when nothing was written */
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

  /** A new token for the same client; the old one is void from then on. @throws CLIENT_UNKNOWN; as `create` */
  async renew(id: string): Promise<IssuedToken> {
    const token = createToken(this.#options.randomBytes);
    const sha256 = hashToken(token);
    await this.#file.edit((content) => changeEntry(content, id, { sha256 }));
    return { id, token };
  }

  /** Another name; its token and sessions stay. @throws CLIENT_UNKNOWN; as `create` */
  async rename(id: string, name: string): Promise<void> {
    const changed = { name: checkedName(name) };
    await this.#file.edit((content) => changeEntry(content, id, changed));
  }

  /**
   * The client may use nothing from this moment on; resolves when that stands on disk.
   * @throws CLIENT_UNKNOWN; CONFIG_BROKEN or PERMISSION_DENIED when it was not written: it is refused until the panel ends.
   */
  async revoke(id: string): Promise<void> {
    const isKnown = this.#file.current.entries.some((entry) => entry.id === id);
    if (isKnown && !this.#refused.has(id)) {
      this.#refused.add(id);
      this.#end(id);
    }
    await this.#file.edit((content) => removeClientEntry(content, id));
  }

  /** Undefined for a token that is none of ours, or is void. */
  authenticate(token: string): GatewayClient | undefined {
    if (!isToken(token)) return undefined;
    const hash = hashToken(token);
    const entry = this.#byHash.get(hash);
    if (!entry || !isSameHash(entry.sha256, hash) || this.#refused.has(entry.id)) return undefined;
    return clientOf(entry);
  }

  /** A request came with a token that is void. Returns whose it was, where that is known. */
  refuseFormer(token: string): string | undefined {
    return isToken(token) ? this.#former.refuse(hashToken(token)) : undefined;
  }

  /** A request of it came. Costs next to nothing; it is written now and then. @param at milliseconds since 1970 */
  seen(id: string, at: number): void {
    this.#lastSeen.seen(id, at);
    this.#former.letIn(id);
  }

  /** A client is gone, by the window or out of the file. Returns the undo. */
  onRevoked(listener: (id: string) => void): () => void {
    return this.#revoked.subscribe(listener);
  }

  /** What the token of a client allowed before, it allows no more: revoked, renewed, or given fewer servers. Returns the undo. */
  onTokenEnded(listener: (id: string) => void): () => void {
    return this.#tokenEnded.subscribe(listener);
  }

  /** What `list` or `error` says has changed, but for when clients were seen. Returns the undo. */
  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener);
  }

  /** Stops watching, and writes when clients were last seen. Idempotent. */
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

/** When clients were last seen is written at most this often. */
const WRITE_MS = 60_000;

/** When clients were last seen: kept in memory at each request, and written to their file now and then. */
export class LastSeen {
  readonly #clock: Clock;
  readonly #file: Pick<ClientsFile, 'edit'>;
  /** Milliseconds since 1970, by the id of the client. */
  readonly #seenAt = new Map<string, number>();
  #timer: Disposable | undefined;

  constructor(clock: Clock, file: Pick<ClientsFile, 'edit'>) {
    this.#clock = clock;
    this.#file = file;
  }

  /** Undefined for a client that was not seen since the start. */
  at(id: string): number | undefined {
    return this.#seenAt.get(id);
  }

  /** Costs next to nothing. @param at milliseconds since 1970 */
  seen(id: string, at: number): void {
    this.#seenAt.set(id, at);
    this.#timer ??= this.#clock.setTimeout(() => void this.#write(), WRITE_MS);
  }

  /** The client is gone. */
  forget(id: string): void {
    this.#seenAt.delete(id);
  }

  /** Writes what was not written yet. Idempotent; never rejects. */
  async dispose(): Promise<void> {
    if (this.#timer) await this.#write();
  }

  async #write(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    // What cannot be written is written a minute after the next request, and nothing depends on it.
    await this.#file.edit((content) => writeSeen(content, this.#seenAt)).catch(() => undefined);
  }
}
