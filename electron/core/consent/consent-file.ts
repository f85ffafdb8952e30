import { parsedJson } from '../../../shared/parsed.ts';
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import { readContent } from '../files/file-content.ts';
import { readKeyFile } from '../files/key-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { ShownDefinition } from './definition.ts';
import { isJsonObject } from '../../../shared/json-object.ts';
import { canonicalJson } from '../config/server-key.ts';

export type AgreedBy = 'window' | 'import' | 'move' | 'cli' | 'first-use' | 'test';

/** A definition that the user has agreed to, under the name of its server. */
export interface Consent {
  readonly name: string;
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly agreedAt: number;
  readonly by: AgreedBy;
  /** Kept only for the latest consent of each name, to show what differs in the next definition. */
  readonly shown?: ShownDefinition | undefined;
}

export interface ConsentContent {
  /** All consents. For each name, the last one is the latest. */
  readonly consents: readonly Consent[];
  /** Questions that the user has postponed. */
  readonly postponed: readonly Pick<Consent, 'name' | 'digest'>[];
}

export type FoundConsents =
  /** No panel that asks for consent has run with this data folder. */
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly key: Buffer; readonly content: ConsentContent }
  | { readonly kind: 'damaged'; readonly key: Buffer | undefined; readonly reason: string };

const VERSION = 1;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export const consentPaths = (home: string) => ({
  key: join(home, 'consent.key'),
  consents: join(home, 'consents.json'),
});

/** Reads the consents. A file whose HMAC does not match the key of this data folder counts as damaged. Never rejects. */
export async function readConsents(home: string): Promise<FoundConsents> {
  const paths = consentPaths(home);
  const [known, text] = await Promise.all([
    readKeyFile(paths.key),
    readContent(paths.consents, MAX_FILE_BYTES),
  ]);
  if (known.kind === 'none' && text.kind === 'gone') return { kind: 'none' };
  const key = known.kind === 'key' ? known.key : undefined;
  if (key === undefined) {
    const reason = known.kind === 'unusable' ? known.reason : 'it is gone';
    return { kind: 'damaged', key, reason: `consent.key: ${reason}` };
  }
  if (text.kind !== 'text') {
    const reason = text.kind === 'gone' ? 'it is gone' : text.reason;
    return { kind: 'damaged', key, reason: `consents.json: ${reason}` };
  }
  const content = openSealed(text.text, key);
  return content === undefined
    ? { kind: 'damaged', key, reason: 'consents.json: another program has changed it' }
    : { kind: 'read', key, content };
}

/** @throws FileWriteError */
export async function writeConsents(home: string, key: Buffer, content: ConsentContent): Promise<void> {
  const consents = content.consents.map(({ shown, ...consent }) =>
    shown === undefined ? consent : { ...consent, shown: encrypt(JSON.stringify(shown), key) },
  );
  const sealed = { version: VERSION, ...content, consents };
  await writeAtomically(consentPaths(home).consents, sealJson(sealed, key));
}

/** Returns the content of the text; undefined if its seal does not match the key. */
function openSealed(text: string, key: Buffer): ConsentContent | undefined {
  const sealed = openSealedJson(text, key);
  if (sealed?.['version'] !== VERSION) return undefined;
  // The cast is safe, because the matching HMAC proves that the panel wrote the content, and the version is the current one.
  const { consents, postponed } = sealed as unknown as SealedContent;
  return {
    consents: consents.map(({ shown, ...consent }) =>
      shown === undefined
        ? consent
        : { ...consent, shown: JSON.parse(decrypt(shown, key)) as ShownDefinition },
    ),
    postponed,
  };
}

/** Content of the file. A definition is encrypted, because an argument may be a secret that is not recognized as one. */
interface SealedContent extends Pick<ConsentContent, 'postponed'> {
  readonly consents: readonly (Omit<Consent, 'shown'> & { readonly shown?: string })[];
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const cipherKey = (key: Buffer): Buffer => createHmac('sha256', key).update('shown').digest();

function encrypt(text: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKey(key), nonce);
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64');
}

function decrypt(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, cipherKey(key), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString();
}

export const consentRequired = (name: string): PanelError =>
  new PanelError(
    'CONSENT_REQUIRED',
    `The definition of ${name} was written outside the panel, and nobody has agreed to it yet.`,
  );

/** Returns the text of a file that only this panel can have written: an object, with an HMAC over all of it. */
export function sealJson(content: object, key: Buffer): string {
  return `${JSON.stringify({ ...content, seal: sealOf(content, key) }, null, 2)}\n`;
}

/** Returns the content of the text; undefined if its seal does not match the key. */
export function openSealedJson(text: string, key: Buffer): Readonly<Record<string, unknown>> | undefined {
  const { seal, ...content } = parseObject(text);
  if (typeof seal !== 'string') return undefined;
  const [given, expected] = [Buffer.from(seal, 'hex'), Buffer.from(sealOf(content, key), 'hex')];
  return given.length === expected.length && timingSafeEqual(given, expected) ? content : undefined;
}

const sealOf = (content: object, key: Buffer): string =>
  createHmac('sha256', key).update(canonicalJson(content)).digest('hex');

function parseObject(text: string): Record<string, unknown> {
  const value = parsedJson(text);
  return isJsonObject(value) ? value : {};
}
