import { createHash } from 'node:crypto';

/**
 * Maximum length of the name of a tool or prompt, because clients add a prefix of up to six characters and models accept at
 * most 64.
 */
const LONGEST_NAME = 58;
const HASH_LENGTH = 12;
const LONGEST_SERVER_PART = 24;

const PLAIN_SERVER = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/;
const PLAIN_ITEM = /^[A-Za-z0-9_-]+$/;
const ENDS_WITH_HASH = /_[0-9a-f]{12}$/;
/** Server names that are valid as the scheme of a URI, which readers convert to lower case (RFC 3986, 3.1). */
const PLAIN_SCHEME = /^[a-z][a-z0-9.-]*$/;

const hashOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_LENGTH);

const safe = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, '_');

/**
 * Returns the name of a tool or prompt among those of all servers: `server__tool`. A name that would be too long, contain other
 * characters, or be ambiguous gets a hash of both parts. It depends only on these two parts, so that it does not change when
 * other servers are added or removed.
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

/** Returns the name of the server's item if the combined name reveals it without a list; undefined for a name with a hash. */
export function plainItem(server: string, name: string): string | undefined {
  const item = name.slice(server.length + 2);
  return combinedName(server, item) === name ? item : undefined;
}

const prefixOf = (server: string): string =>
  PLAIN_SCHEME.test(server) ? `${server}+` : `s-${hashOf(server)}+`;

/** Returns the address of a resource, or of a template, among those of all servers: `server+file:///x`. */
export const combinedUri = (server: string, uri: string): string => prefixOf(server) + uri;

/** Returns the server's own address; undefined for an address of another server. */
export function ownUri(server: string, uri: string): string | undefined {
  const prefix = prefixOf(server);
  return uri.slice(0, prefix.length).toLowerCase() === prefix ? uri.slice(prefix.length) : undefined;
}
