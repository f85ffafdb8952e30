import { PanelError } from '../../../shared/error-codes.ts';
import type { KeyKind } from '../../../shared/secret-store.ts';
import { readContent } from '../files/file-content.ts';
import { deriveKey, KEY_BYTES, passphraseNote, type Header, type KeyNote } from './sealed-file.ts';
import type { KeyAnswer } from './store-state.ts';

export type KeyringQuestion =
  | { readonly kind: 'read' | 'remove'; readonly account: string }
  | { readonly kind: 'write'; readonly account: string; readonly value: string };

/** Sends one question to the keyring of this system. Never rejects, and never blocks this process. */
export type AskKeyring = (question: KeyringQuestion, timeoutMs: number) => Promise<KeyAnswer>;

const MIN_PASSPHRASE = 8;
const KEY_TEXT = new RegExp(`^[0-9a-f]{${KEY_BYTES * 2}}$`);

interface KeySources {
  readonly askKeyring: AskKeyring;
  /** Path of the file secrets.key, which contains the key if the kind of the key is `file`. */
  readonly keyPath: string;
  readonly timeoutMs: number;
  readonly passphrase: string | undefined;
}

/**
 * Gets the key of a sealed file, as hexadecimal digits, from where its header says: the keyring, a key file, or the passphrase.
 * Never rejects.
 */
export async function askForKey({ key, home }: Header, sources: KeySources): Promise<KeyAnswer> {
  const { askKeyring, keyPath, timeoutMs, passphrase = '' } = sources;
  if (key.kind === 'keyring') return askKeyring({ kind: 'read', account: home }, timeoutMs);
  if (key.kind === 'passphrase')
    return { kind: 'found', value: (await deriveKey(passphrase, key)).toString('hex') };
  const content = await readContent(keyPath, 1024);
  return content.kind === 'text' ? { kind: 'found', value: content.text.trim() } : { kind: 'none' };
}

/** Parses the hexadecimal key in an answer; returns undefined if the answer is not a key. */
export const keyIn = (answer: string): Buffer | undefined =>
  KEY_TEXT.test(answer) ? Buffer.from(answer, 'hex') : undefined;

/** Creates a key, which is not stored anywhere yet. @throws PanelError CONFIG_INVALID for the passphrase */
export async function createKey(
  kind: KeyKind,
  randomBytes: (size: number) => Buffer,
  passphrase = '',
): Promise<{ readonly note: KeyNote; readonly key: Buffer }> {
  if (kind !== 'passphrase') return { note: { kind }, key: randomBytes(KEY_BYTES) };
  if (passphrase.length < MIN_PASSPHRASE)
    throw new PanelError('CONFIG_INVALID', `The passphrase has fewer than ${MIN_PASSPHRASE} characters.`, {
      data: { field: 'passphrase' },
    });
  const note = passphraseNote(randomBytes(16));
  return { note, key: await deriveKey(passphrase, note) };
}
