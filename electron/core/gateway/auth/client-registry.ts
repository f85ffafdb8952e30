import { isDeepStrictEqual } from 'node:util';
import type { ServerSet, TokenScope } from '../../../../shared/gateway.ts';
import type { Clock, WallClock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import type { FileProblem } from '../../files/file-errors.ts';
import type { GatewayClient } from '../types.ts';
import {
  addClientEntry,
  changeEntry,
  removeClientEntry,
  changeSets,
  checkedName,
  isSameReach,
  type ClientEntry,
} from './clients-form.ts';
import { openClientsFile, type ClientsChange, type ClientsFile } from './clients-file.ts';
import { LastSeen } from './last-seen.ts';
import {
  FormerTokens,
  type FormerRefusals,
  createNonce,
  type RandomBytes,
  createToken,
  hashToken,
  isSameText,
  isToken,
} from './tokens.ts';

/** An MCP client as the app window lists it. Times are epoch milliseconds. */
export interface RegisteredClient extends GatewayClient {
  readonly createdAt?: number;
  readonly lastSeenAt?: number;
  /** Requests refused because their token was renewed since; undefined once the client has sent its new token. */
  readonly refused?: FormerRefusals;
}

interface NewRegistration {
  /** One line of 1 to 64 characters that no other client has. */
  readonly name: string;
  /** The only servers that the client may use; undefined allows all. */
  readonly servers?: readonly string[] | undefined;
  /** The client's permissions; undefined means only `mcp`. */
  readonly scopes?: readonly TokenScope[] | undefined;
}

/** A new token. It is shown once, because only its hash is stored. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

interface ClientRegistryOptions {
  /** Absolute path of clients.json; `.bak` and `.broken` are beside it, see `EditedFile`. */
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
  /** Emits the id of a client when it sends its first request ever. */
  readonly arrived = new Emitter<string>();
  /** Emits the id of a client that was removed, by the user in the app window or in the file. */
  readonly revoked = new Emitter<string>();
  /** Emits the id of a client whose token lost rights: revoked, renewed, or given fewer servers. */
  readonly tokenEnded = new Emitter<string>();
  /** Emits when `list` or `error` has changed, except for last-seen times. */
  readonly changed = new Emitter<void>();
  /**
   * Emits the id of a client whose hidden tools have changed; undefined if the sets (several servers under one address) have
   * changed, which can concern every client.
   */
  readonly offerChanged = new Emitter<string | undefined>();
  readonly #options: ClientRegistryOptions;
  readonly #file: ClientsFile;
  readonly #lastSeen: LastSeen;
  /** Ids of clients that are already refused while their revocation is being written to the file. */
  readonly #refused = new Set<string>();
  readonly #former: FormerTokens;
  #byHash = new Map<string, ClientEntry>();
  #byId = new Map<string, ClientEntry>();
  /** By connection: the valid token checked last, so that its hash is not computed again. Emptied when any client changes. */
  #good = new WeakMap<object, { readonly token: string; readonly client: GatewayClient }>();
  /** Names of hidden tools by server, for each client. */
  #hidden = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

  constructor(options: ClientRegistryOptions, file: ClientsFile) {
    this.#options = options;
    this.#file = file;
    this.#lastSeen = new LastSeen(options.clock, file);
    this.#former = new FormerTokens(options.wallClock);
    this.#index(file.current.entries);
    file.onChange((change) => this.#adopt(change));
  }

  /** The reason why a part of clients.json is not in force; undefined when the whole file is in force. */
  get error(): FileProblem | undefined {
    return this.#file.current.error;
  }

  /** Clients in the order in which they were created. */
  list(): readonly RegisteredClient[] {
    return this.#file.current.entries.map((entry) => {
      const { createdAt } = entry;
      const lastSeenAt = this.#lastSeen.at(entry.id) ?? entry.lastSeenAt;
      const refused = this.#former.refusalsOf(entry.id);
      return {
        ...clientOf(entry),
        ...(createdAt !== undefined && { createdAt }),
        ...(lastSeenAt !== undefined && { lastSeenAt }),
        ...(refused && { refused }),
      };
    });
  }

  /** Returns a client; undefined for an unknown one. */
  find(id: string): GatewayClient | undefined {
    const entry = this.#byId.get(id);
    return entry && clientOf(entry);
  }

  /**
   * Creates a client; resolves when the client may be used. @throws CONFIG_INVALID for its name; CONFIG_BROKEN or
   * PERMISSION_DENIED when nothing was written
   */
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

  /** Issues a new token for the same client; the old one is invalid from then on. @throws CLIENT_UNKNOWN; as `create` */
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

  /** Hides these tools of a server from the client, and shows all others. @throws CLIENT_UNKNOWN; as `create` */
  async hide(id: string, server: string, tools: readonly string[]): Promise<void> {
    await this.#file.edit((content) => {
      const before = this.#byId.get(id)?.hidden ?? [];
      const others = before.filter((one) => one.server !== server);
      const hidden = tools.length === 0 ? others : [...others, { server, tools: [...new Set(tools)] }];
      return changeEntry(content, id, { hidden });
    });
  }

  /** Returns the tools of the server that are hidden from the client; undefined if it sees all. */
  hiddenFrom(id: string, server: string): ReadonlySet<string> | undefined {
    return this.#hidden.get(id)?.get(server);
  }

  /** The only servers that the client may use; undefined allows all. */
  serversOf(id: string): readonly string[] | undefined {
    return this.#byId.get(id)?.servers;
  }

  get sets(): readonly ServerSet[] {
    return this.#file.current.sets;
  }

  /**
   * Adds a set, which combines several servers under one address. A set of the same name is replaced; a set without servers is
   * removed. @throws as `create`
   */
  async putSet(set: ServerSet): Promise<void> {
    await this.#file.edit((content) => changeSets(content, set));
  }

  /**
   * Revokes all access of the client immediately; resolves when the change is on disk. @throws CLIENT_UNKNOWN; CONFIG_BROKEN or
   * PERMISSION_DENIED when the write failed, in which case the revocation lasts until the panel ends
   */
  async revoke(id: string): Promise<void> {
    if (this.#byId.has(id) && !this.#refused.has(id)) {
      this.#refused.add(id);
      this.#end(id);
    }
    await this.#file.edit((content) => removeClientEntry(content, id));
  }

  /**
   * Returns the client with this token; undefined if the token is unknown or malformed. @param connection object for the
   * client's connection. The valid token is remembered for it, because computing a hash takes longer than all other checks
   */
  authenticate(token: string, connection?: object): GatewayClient | undefined {
    if (!isToken(token)) return undefined;
    const good = connection && this.#good.get(connection);
    if (good && isSameText(good.token, token)) return good.client;
    const hash = hashToken(token);
    const entry = this.#byHash.get(hash);
    if (!entry || !isSameText(entry.sha256, hash) || this.#refused.has(entry.id)) return undefined;
    const client = clientOf(entry);
    if (connection) this.#good.set(connection, { token, client });
    return client;
  }

  /** Counts a refused request if its token was valid earlier. Returns the client's name; undefined if no client had the token. */
  refuseFormer(token: string): string | undefined {
    return isToken(token) ? this.#former.refuse(hashToken(token)) : undefined;
  }

  /** Records a request of the client in memory; it is written to disk at intervals. @param at epoch milliseconds */
  seen(id: string, at: number): void {
    const isFirstOfRun = this.#lastSeen.seen(id, at);
    this.#former.letIn(id);
    if (isFirstOfRun && this.#byId.get(id)?.lastSeenAt === undefined) this.arrived.emit(id);
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
      if (after && !isSameReach(before, after)) this.tokenEnded.emit(before.id);
      if (after && !isDeepStrictEqual(before.hidden, after.hidden)) this.offerChanged.emit(before.id);
    }
    if (!isDeepStrictEqual(previous.sets, current.sets)) this.offerChanged.emit(undefined);
    this.changed.emit();
  }

  #end(id: string): void {
    this.#good = new WeakMap();
    this.#lastSeen.forget(id);
    this.tokenEnded.emit(id);
    this.revoked.emit(id);
  }

  #index(entries: readonly ClientEntry[]): void {
    this.#good = new WeakMap();
    this.#byHash = new Map(entries.map((entry) => [entry.sha256, entry]));
    this.#byId = new Map(entries.map((entry) => [entry.id, entry]));
    this.#hidden = new Map(
      entries.map(({ id, hidden }) => [
        id,
        new Map(hidden.map(({ server, tools }) => [server, new Set(tools)])),
      ]),
    );
  }
}

function clientOf({ id, name, servers, scopes }: ClientEntry): GatewayClient {
  return { id, name, scopes, ...(servers && { servers }) };
}
