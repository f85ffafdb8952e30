import { parsedUrl } from '../../../shared/parsed.ts';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { PanelError } from '../../../shared/error-codes.ts';
import type { Clock } from '../clock.ts';

/** Maximum time of a request in ms, and maximum size of an answer in bytes, because an issuer is not trusted. */
const MAX_MS = 10_000;
const MAX_BYTES = 64 * 1024;

const privateAddresses = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateAddresses.addSubnet(net, bits);
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateAddresses.addSubnet(net, bits, 'ipv6');

const MAPPED = '::ffff:';

function isPrivate(address: string): boolean {
  if (isIP(address) === 4) return privateAddresses.check(address);
  if (!address.startsWith(MAPPED)) return privateAddresses.check(address, 'ipv6');
  // IPv4 address within an IPv6 address (RFC 4291 §2.5.5.2). URLs write its 32 bits as two hexadecimal groups.
  const rest = address.slice(MAPPED.length);
  if (rest.includes('.')) return isPrivate(rest);
  const [high = 0, low = 0] = rest.split(':').map((part) => Number.parseInt(part, 16));
  return isPrivate([high >> 8, high & 255, low >> 8, low & 255].join('.'));
}

/** Returns the host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);

/** True if the URL's host is this machine. */
export const isLoopback = (url: URL): boolean => ['127.0.0.1', '::1', 'localhost'].includes(hostOf(url));

/** True if a host is on this machine or in a private network of the user. False for a host that is not found. */
async function isWithin(url: URL): Promise<boolean> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPrivate(host);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivate(address));
}

/**
 * True for an https address, and for an http address only if it is on this machine, because a token must not cross a network in
 * plain text. False for an address that contains a user name or password.
 */
export function isSafeAddress(text: string): boolean {
  const url = parsedUrl(text);
  if (url === undefined) return false;
  const isPlain = url.protocol === 'http:' && isLoopback(url);
  return (url.protocol === 'https:' || isPlain) && url.username === '' && url.password === '';
}

/**
 * Returns a `fetch` for requests about a sign-in, whose addresses come from the server or its issuer. It limits time and bytes,
 * does not follow redirects, and accepts only addresses with https or on this machine. It refuses addresses in private networks
 * unless the server itself is in one.
 * @throws PanelError UNREACHABLE from the `fetch`
 */
export function createGuardedFetch(fetch: FetchLike, clock: Clock, server: URL): FetchLike {
  return async (address, init) => {
    const url = new URL(address);
    if (!isSafeAddress(url.href)) throw refused(url, 'is neither https nor on this machine');
    if ((await isWithin(url)) && !(await isWithin(server)))
      throw refused(url, 'is in a private network, and the server is not');
    const limit = new AbortController();
    const timer = clock.setTimeout(() => limit.abort(), MAX_MS);
    try {
      const response = await fetch(url, { ...init, signal: limit.signal, redirect: 'manual' });
      return await whole(response);
    } catch (error) {
      if (error instanceof PanelError) throw error;
      throw refused(url, limit.signal.aborted ? 'did not answer in 10 s' : 'could not be reached', error);
    } finally {
      timer.dispose();
    }
  };
}

async function whole(response: Response): Promise<Response> {
  const { status, headers } = response;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error('the answer is too long');
    parts.push(part);
  }
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers });
}

const refused = ({ origin, pathname }: URL, why: string, cause?: unknown): PanelError =>
  new PanelError('UNREACHABLE', `${origin}${pathname}, which the sign-in needs, ${why}.`, { cause });
