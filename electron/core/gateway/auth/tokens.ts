import { createHash, timingSafeEqual } from 'node:crypto';
import type { WallClock } from '../../clock.ts';

/** So many bytes that nobody can foresee; `randomBytes` of Node.js is one such source. */
export type RandomBytes = (size: number) => Buffer;

const NONCE_BYTES = 16;

/** 128 random bits, base64url: 22 characters. */
export function createNonce(randomBytes: RandomBytes): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

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

/** Requests that came with a token that was renewed. */
export interface FormerRefusals {
  readonly count: number;
  /** Epoch milliseconds of the first. */
  readonly since: number;
}

interface Former {
  readonly id: string;
  readonly name: string;
  refusals: FormerRefusals | undefined;
}

/** More are forgotten, the oldest first. */
const MAX_FORMER = 200;

/** Tokens that were renewed or revoked in this run of the panel, by their hash: a program goes on with one until a person changes it. */
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

  /** A request came with it. Returns whose it was. */
  refuse(hash: string): string | undefined {
    const former = this.#former.get(hash);
    if (!former) return undefined;
    const { count, since } = former.refusals ?? { count: 0, since: this.#wallClock.epochMs() };
    former.refusals = { count: count + 1, since };
    return former.name;
  }

  /** What the client was refused with a token of before; undefined where it has been let in since, or never tried. */
  refusalsOf(id: string): FormerRefusals | undefined {
    return [...this.#former.values()].findLast((one) => one.id === id && one.refusals)?.refusals;
  }

  /** The client has the new token: what it was refused before is past. */
  letIn(id: string): void {
    for (const one of this.#former.values()) if (one.id === id) one.refusals = undefined;
  }
}
