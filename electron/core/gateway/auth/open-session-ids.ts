import { join } from 'node:path';
import { errnoOf } from '../../errno.ts';
import { describeErrno } from '../../files/file-errors.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { setAside } from '../../files/set-aside.ts';
import { writeAtomically, type Disk } from '../../files/write-atomically.ts';
import type { RandomBytes } from './tokens.ts';
import { SessionIds } from './session-id.ts';
import { openTombstones } from './tombstones.ts';

const KEY_BYTES = 32;
const MAX_FILE_BYTES = 1024;
const KEY_TEXT = new RegExp(`^[0-9a-f]{${KEY_BYTES * 2}}\\s*$`);

export interface OpenSessionIdsOptions {
  /** The home folder, absolute. It holds `gateway-key` (hexadecimal digits) and `gateway-ended`, readable by their owner alone. */
  readonly home: string;
  readonly randomBytes: RandomBytes;
  /** Receives one sentence that says why client sessions will not outlive the panel. Must not throw. */
  readonly onProblem: (message: string) => void;
  readonly disk?: Disk;
}

/** Session ids of this home folder, with a key that is created once. Never rejects: without a file the key lasts for one app run. */
export async function openSessionIds(options: OpenSessionIdsOptions): Promise<SessionIds> {
  const { home, onProblem, disk } = options;
  const [key, tombstones] = await Promise.all([
    openKey(options),
    openTombstones({ path: join(home, 'gateway-ended'), onProblem, disk }),
  ]);
  return new SessionIds({ key, tombstones });
}

async function openKey(options: OpenSessionIdsOptions): Promise<Buffer> {
  const { home, onProblem } = options;
  const path = join(home, 'gateway-key');
  const known = await readKey(path);
  if (known.kind === 'key') return known.key;
  if (known.kind === 'unusable') {
    const aside = setAside(path);
    onProblem(
      `${path} holds no key, so sessions of clients end here: ${known.reason}` +
        (aside === undefined ? '' : `; it was renamed to ${aside}`),
    );
  }
  return createKey(path, options);
}

async function createKey(
  path: string,
  { randomBytes, onProblem, disk }: OpenSessionIdsOptions,
): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  try {
    await writeAtomically(path, `${key.toString('hex')}\n`, { isNew: true, ...(disk && { disk }) });
  } catch (error) {
    onProblem(`sessions of clients end with the panel: ${path} was not written: ${describeErrno(error)}`);
  }
  return key;
}

type KnownKey =
  | { readonly kind: 'key'; readonly key: Buffer }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly reason: string };

async function readKey(path: string): Promise<KnownKey> {
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
