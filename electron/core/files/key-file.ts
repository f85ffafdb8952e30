import { errnoOf } from '../errno.ts';
import { describeErrno } from './file-errors.ts';
import { readRegularFile } from './regular-file.ts';
import { writeAtomically, type Disk } from './write-atomically.ts';

const KEY_BYTES = 32;
const MAX_FILE_BYTES = 1024;
const KEY_TEXT = new RegExp(`^[0-9a-f]{${KEY_BYTES * 2}}\\s*$`);

type KnownKey =
  | { readonly kind: 'key'; readonly key: Buffer }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Reads a key of this data folder: 256 bits in hexadecimal digits. Never rejects. */
export async function readKeyFile(path: string): Promise<KnownKey> {
  try {
    const text = (await readRegularFile(path, MAX_FILE_BYTES)).toString('latin1');
    if (!KEY_TEXT.test(text))
      return { kind: 'unusable', reason: `it is not ${KEY_BYTES * 2} hexadecimal digits` };
    return { kind: 'key', key: Buffer.from(text.trim(), 'hex') };
  } catch (error) {
    return errnoOf(error) === 'ENOENT'
      ? { kind: 'none' }
      : { kind: 'unusable', reason: describeErrno(error) };
  }
}

/** Creates a key, in a file that only its owner can read. Never rejects: if `error` is set, the key is only in memory. */
export async function createKeyFile(
  path: string,
  randomBytes: (size: number) => Buffer,
  disk?: Disk,
): Promise<{ readonly key: Buffer; readonly error?: unknown }> {
  const key = randomBytes(KEY_BYTES);
  try {
    await writeAtomically(path, `${key.toString('hex')}\n`, { isNew: true, ...(disk && { disk }) });
    return { key };
  } catch (error) {
    return { key, error };
  }
}
