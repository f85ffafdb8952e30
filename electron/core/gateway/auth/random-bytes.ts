/** So many bytes that nobody can foresee; `randomBytes` of Node.js is one such source. */
export type RandomBytes = (size: number) => Buffer;

const NONCE_BYTES = 16;

/** 128 random bits, base64url: 22 characters. */
export function createNonce(randomBytes: RandomBytes): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}
