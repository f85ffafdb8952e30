import { createHash, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from './random-bytes.ts';

const PREFIX = 'mcpcp_';
const TOKEN_BYTES = 32;
/** The prefix lets scanners for leaked secrets know one. 43 characters of base64url hold 256 bits. */
const TOKEN = new RegExp(`^${PREFIX}[\\w-]{43}$`);

export function createToken(randomBytes: RandomBytes): string {
  return PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is kept of a token, in hexadecimal digits; not by `crypto.hash`, which the fallback runtime lacks. It is drawn by a machine, so that nobody can guess it from its hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether it could be a token at all; nothing else is hashed. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** In a time that does not depend on where they differ. Both are hashes of the same kind. */
export function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
}
