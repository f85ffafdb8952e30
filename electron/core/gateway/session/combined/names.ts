import { createHash } from 'node:crypto';

/** Maximum length of a tool or prompt name: clients add a prefix of up to six characters, and models accept at most 64. */
const LONGEST_NAME = 58;
const HASH_LENGTH = 12;
const LONGEST_SERVER_PART = 24;

const PLAIN_SERVER = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/;
const PLAIN_ITEM = /^[A-Za-z0-9_-]+$/;
const ENDS_WITH_HASH = /_[0-9a-f]{12}$/;
/** Matches server names usable unchanged as a URI scheme. No upper case, because software lowercases it (RFC 3986, 3.1). */
const PLAIN_SCHEME = /^[a-z][a-z0-9.-]*$/;

const hashOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_LENGTH);

const safe = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, '_');

/**
 * Returns the combined name of a server's tool or prompt: `server__tool`. If this would be too long, ambiguous, or contain
 * characters that are not allowed, a hash of server and tool is appended. The name depends only on these two, so it does not
 * change when other servers are added or removed.
 */
export function combinedName(server: string, item: string): string {
  const plain = `${server}__${item}`;
  const isPlain = PLAIN_SERVER.test(server) && PLAIN_ITEM.test(item) && !ENDS_WITH_HASH.test(item);
  if (isPlain && plain.length <= LONGEST_NAME) return plain;
  const words = `${safe(server).slice(0, LONGEST_SERVER_PART)}__${safe(item)}`;
  return `${words.slice(0, LONGEST_NAME - HASH_LENGTH - 1)}_${hashOf(server, item)}`;
}

/** True if the server may have an item with this combined name. */
export const mayBeOf = (server: string, name: string): boolean =>
  name.startsWith(`${server}__`) || name.startsWith(`${safe(server).slice(0, LONGEST_SERVER_PART)}__`);

/**
 * Returns the name that the item has at its server, if the combined name contains it unchanged; undefined for a combined name
 * with a hash, which only the server's list can resolve.
 */
export function plainItem(server: string, name: string): string | undefined {
  const item = name.slice(server.length + 2);
  return combinedName(server, item) === name ? item : undefined;
}

const prefixOf = (server: string): string =>
  PLAIN_SCHEME.test(server) ? `${server}+` : `s-${hashOf(server)}+`;

/** Returns the combined address of a server's resource or template: `server+file:///x`. */
export const combinedUri = (server: string, uri: string): string => prefixOf(server) + uri;

/** Returns the address that the resource has at the server; undefined if the combined address belongs to another server. */
export function ownUri(server: string, uri: string): string | undefined {
  const prefix = prefixOf(server);
  return uri.slice(0, prefix.length).toLowerCase() === prefix ? uri.slice(prefix.length) : undefined;
}
