import { parsedJson } from '../../../shared/parsed.ts';
import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject } from '../../../shared/json-object.ts';
import { canonicalJson } from '../config/server-key.ts';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** scrypt needs 128 MiB for these parameters, and Node allows 32 MiB by default. */
const SCRYPT = { N: 131_072, r: 8, p: 1 } as const;
const SCRYPT_MEMORY = 192 * 1024 * 1024;

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
const keyNoteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('keyring') }),
  z.object({ kind: z.literal('file') }),
  z.object({
    kind: z.literal('passphrase'),
    kdf: z.literal('scrypt'),
    N: z.literal(SCRYPT.N),
    r: z.literal(SCRYPT.r),
    p: z.literal(SCRYPT.p),
    salt: hex(16),
  }),
]);
/** What the file records about its key: where the key is stored, or how it is derived. */
export type KeyNote = z.infer<typeof keyNoteSchema>;

const headerSchema = z.object({
  version: z.literal(1),
  /**
   * Account name under which the keyring stores the key. It is separate for each data folder, so that the keys of two folders
   * do not collide.
   */
  home: hex(16),
  key: keyNoteSchema,
});
export type Header = z.infer<typeof headerSchema>;

const fileSchema = headerSchema.extend({
  nonce: z.string().base64().length(16),
  sealed: z.string().base64().max(8_000_000),
});
export type SealedFile = z.infer<typeof fileSchema>;

export const fileHeaderOf = ({ version, home, key }: SealedFile): Header => ({ version, home, key });

export interface Secret {
  readonly value: string;
  /** Time of the last change in epoch milliseconds. */
  readonly setAt: number;
}

/** Decrypted contents of the file. Sign-ins are stored as given, without a check of their format. */
export interface Contents {
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly signIns: ReadonlyMap<string, unknown>;
}

export const emptyContents: Contents = { secrets: new Map(), signIns: new Map() };

/** Parses secrets.json; undefined if the panel did not write it. */
export const parseSealedFile = (text: string): SealedFile | undefined =>
  fileSchema.safeParse(parsedJson(text)).data;

/** Encrypts the contents and returns the text of secrets.json. @param nonce must be new for each write */
export function seal(contents: Contents, header: Header, key: Buffer, nonce: Buffer): string {
  const rest = { ...header, nonce: nonce.toString('base64') };
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(canonicalJson(rest)));
  const { secrets, signIns } = contents;
  const plain = JSON.stringify({
    secrets: Object.fromEntries(secrets),
    signIns: Object.fromEntries(signIns),
  });
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${JSON.stringify({ ...rest, sealed: sealed.toString('base64') }, null, 2)}\n`;
}

/** Returns the decrypted contents; undefined if `key` is not the file's key, or if anything in the file was changed. */
export function openSealed({ sealed, ...rest }: SealedFile, key: Buffer): Contents | undefined {
  try {
    const bytes = Buffer.from(sealed, 'base64');
    const nonce = Buffer.from(rest.nonce, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(canonicalJson(rest)));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return contentsOf(JSON.parse(plain.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Parses the contents without zod, because zod drops a secret with the name "__proto__". */
function contentsOf(plain: unknown): Contents | undefined {
  if (!isJsonObject(plain) || !isJsonObject(plain['secrets'])) return undefined;
  const secrets = Object.entries(plain['secrets']).flatMap(([name, secret]): [string, Secret][] => {
    if (!isJsonObject(secret)) return [];
    const { value, setAt } = secret;
    return typeof value === 'string' && typeof setAt === 'number' ? [[name, { value, setAt }]] : [];
  });
  const { signIns } = plain;
  return {
    secrets: new Map(secrets),
    signIns: new Map(Object.entries(isJsonObject(signIns) ? signIns : {})),
  };
}

export const nonceFrom = (randomBytes: (size: number) => Buffer): Buffer => randomBytes(NONCE_BYTES);

/** Returns what the file records about a key that is derived from a new passphrase. */
export const passphraseNote = (salt: Buffer): KeyNote & { kind: 'passphrase' } => ({
  kind: 'passphrase',
  kdf: 'scrypt',
  ...SCRYPT,
  salt: salt.toString('hex'),
});

/** Derives the key from a passphrase. Takes one to three seconds, on Node's thread pool. */
export function deriveKey(passphrase: string, { salt }: { readonly salt: string }): Promise<Buffer> {
  const options = { ...SCRYPT, maxmem: SCRYPT_MEMORY };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'hex'), KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
