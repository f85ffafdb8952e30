import { createHash, timingSafeEqual } from 'node:crypto';
import type { WallClock } from '../../clock.ts';

/** Source of unpredictable bytes, such as `randomBytes` of Node.js. */
export type RandomBytes = (size: number) => Buffer;

const NONCE_BYTES = 16;

/** Returns 128 random bits as base64url: 22 characters. */
export function createNonce(randomBytes: RandomBytes): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

const PREFIX = 'mcpcp_';
const TOKEN_BYTES = 32;
/** Form of a token. The prefix lets scanners for leaked secrets recognise it. 43 characters of base64url represent 256 bits. */
const TOKEN = new RegExp(`^${PREFIX}[\\w-]{43}$`);

export function createToken(randomBytes: RandomBytes): string {
  return PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * Returns the SHA-256 of a token in hexadecimal, which is stored instead of the token. A fast hash is safe because tokens are
 * random. It does not use `crypto.hash`, which older versions of Node.js lack.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Checks whether the text has the form of a token; other texts are not hashed. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Compares two hashes of the same kind, or two tokens, all of them ASCII, in constant time. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1'));
}

/** Count of the refused requests that had a former token of a client. */
export interface FormerRefusals {
  readonly count: number;
  /** Time of the first such request, in epoch milliseconds. */
  readonly since: number;
}

interface Former {
  readonly id: string;
  readonly name: string;
  refusals: FormerRefusals | undefined;
}

/** Maximum remembered tokens; the oldest are forgotten first. */
const MAX_FORMER = 200;

/**
 * Hashes of the tokens that were renewed or revoked since the panel started. With them the panel can tell the user which client
 * still sends an old token, as a client does until the user changes its configuration.
 */
export class FormerTokens {
  readonly #wallClock: WallClock;
  readonly #former = new Map<string, Former>();

  constructor(wallClock: WallClock) {
    this.#wallClock = wallClock;
  }

  add(hash: string, { id, name }: { readonly id: string; readonly name: string }): void {
    this.#former.set(hash, { id, name, refusals: undefined });
    for (const oldest of this.#former.keys()) if (this.#former.size > MAX_FORMER) this.#former.delete(oldest);
  }

  /** Counts a request with a former token. Returns the name of its client. */
  refuse(hash: string): string | undefined {
    const former = this.#former.get(hash);
    if (!former) return undefined;
    const { count, since } = former.refusals ?? { count: 0, since: this.#wallClock.epochMs() };
    former.refusals = { count: count + 1, since };
    return former.name;
  }

  /** Returns the refusals of the client's former tokens; undefined if there were none since it last sent its valid token. */
  refusalsOf(id: string): FormerRefusals | undefined {
    return [...this.#former.values()].findLast((one) => one.id === id && one.refusals)?.refusals;
  }

  /** Clears the refusals, because the client has sent its new token. */
  letIn(id: string): void {
    for (const one of this.#former.values()) if (one.id === id) one.refusals = undefined;
  }
}
