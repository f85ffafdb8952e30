import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../../shared/json-object.ts';
import type { TokenScope } from '../../../shared/gateway.ts';
import { hashToken, isSameText, isToken } from '../gateway/auth/tokens.ts';
import type { GatewayClient } from '../gateway/types.ts';

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;
const LONGEST_TEXT = 64;

interface KnownClient extends GatewayClient {
  readonly hidden: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The clients in clients.json, which is read again when it has changed. The file is checked by hand, because a schema as in the
 * panel's reader (`gateway/auth/clients-form.ts`) would double the memory of this small process. A test checks that both
 * readers agree.
 */
export class KnownClients {
  readonly #path: string;
  readonly #tokens = new Map<string, string>();
  #stamp: string | undefined;
  #byHash = new Map<string, KnownClient>();

  constructor(home: string) {
    this.#path = join(home, 'clients.json');
  }

  /** Returns the token's client; undefined for an unknown or invalid token. */
  authenticate(token: string): GatewayClient | undefined {
    if (!isToken(token)) return undefined;
    this.#refresh();
    const hash = hashToken(token);
    for (const [known, client] of this.#byHash) {
      if (!isSameText(known, hash)) continue;
      this.#tokens.set(client.id, token);
      return client;
    }
    return undefined;
  }

  /** Returns the token that the client sent last. */
  tokenOf(clientId: string): string {
    return this.#tokens.get(clientId) ?? '';
  }

  hiddenFrom(clientId: string, server: string): ReadonlySet<string> | undefined {
    return [...this.#byHash.values()].find(({ id }) => id === clientId)?.hidden.get(server);
  }

  #refresh(): void {
    const { size = 0, mtimeMs } = statSync(this.#path, { throwIfNoEntry: false }) ?? {};
    const stamp = `${size} ${mtimeMs}`;
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#byHash = new Map(size > MAX_FILE_BYTES ? [] : readClients(this.#path));
  }
}

function readClients(path: string): [string, KnownClient][] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const clients = isJsonObject(value) ? value['clients'] : undefined;
    return Array.isArray(clients) ? clients.flatMap(clientIn) : [];
  } catch {
    return []; // If the file cannot be read, no client is admitted.
  }
}

function clientIn(entry: unknown): [string, KnownClient][] {
  if (!isJsonObject(entry)) return [];
  const { id, name, sha256, servers, scopes = ['mcp'], hidden } = entry;
  if (!isBounded(id) || !isName(name) || !isBounded(sha256) || !SHA256.test(sha256)) return [];
  if (servers !== undefined && !isListOfTexts(servers)) return [];
  if (!isListOfTexts(scopes) || scopes.length === 0 || !scopes.every(isScope)) return [];
  const client = { id, name: name.trim(), scopes, hidden: hiddenIn(hidden), ...(servers && { servers }) };
  return [[sha256, client]];
}

/** Returns the hidden tools by server. All tools are shown if any part of the list is malformed, as in the panel. */
function hiddenIn(value: unknown): KnownClient['hidden'] {
  const entries = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const isWhole = (one: unknown): one is { server: string; tools: string[] } =>
    isJsonObject(one) && typeof one['server'] === 'string' && isListOfTexts(one['tools']);
  return new Map(entries.every(isWhole) ? entries.map(({ server, tools }) => [server, new Set(tools)]) : []);
}

const isBounded = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && isBounded(value.trim()) && !/\p{C}/u.test(value.trim());

const isScope = (value: string): value is TokenScope => value === 'mcp' || value === 'metrics';

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
