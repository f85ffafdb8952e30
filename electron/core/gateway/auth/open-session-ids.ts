import { join } from 'node:path';
import { describeErrno } from '../../files/file-errors.ts';
import { createKeyFile, readKeyFile } from '../../files/key-file.ts';
import { setAside } from '../../files/edited-file.ts';
import type { Disk } from '../../files/write-atomically.ts';
import type { RandomBytes } from './tokens.ts';
import { SessionIds } from './session-id.ts';
import { openTombstones } from './tombstones.ts';

interface OpenSessionIdsOptions {
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
  const known = await readKeyFile(path);
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
  const { key, error } = await createKeyFile(path, randomBytes, disk);
  if (error !== undefined)
    onProblem(`sessions of clients end with the panel: ${path} was not written: ${describeErrno(error)}`);
  return key;
}
