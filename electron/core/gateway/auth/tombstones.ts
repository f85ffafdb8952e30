import { errnoOf } from '../../errno.ts';
import { describeErrno } from '../../files/file-errors.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { writeAtomically, type Disk } from '../../files/write-atomically.ts';
import { SerialQueue } from '../../serial-queue.ts';

/**
 * Maximum number of ended sessions that are remembered. The oldest are dropped first. The id of a dropped session is valid
 * again, but only for the client to which it belonged.
 */
const MAX_TOMBSTONES = 4096;
const MAX_FILE_BYTES = 1024 * 1024;
const NONCE = /^[\w-]{22}$/;

interface TombstonesOptions {
  /** Absolute path of the file. Each line is one nonce, the oldest first. */
  readonly path: string;
  /** Receives one sentence that says why ended sessions are not remembered after a restart. Must not throw. */
  readonly onProblem: (message: string) => void;
  readonly disk?: Disk;
}

/** Reads the file and leaves out lines that are not a nonce. Never rejects. */
export async function openTombstones(options: TombstonesOptions): Promise<Tombstones> {
  return new Tombstones(options, await readNonces(options));
}

/**
 * Nonces of ended sessions. A nonce is the random part of a session id. Without this list, the ids of ended sessions would stay
 * valid forever, because the panel stores no sessions.
 */
export class Tombstones {
  readonly #options: TombstonesOptions;
  readonly #nonces: Set<string>;
  readonly #writes = new SerialQueue();
  /**
   * Write that has not begun yet and will include all nonces added until it begins; undefined if no nonce waits to be written.
   */
  #next: Promise<void> | undefined;

  constructor(options: TombstonesOptions, nonces: readonly string[]) {
    this.#options = options;
    this.#nonces = new Set(nonces.slice(-MAX_TOMBSTONES));
  }

  has(nonce: string): boolean {
    return this.#nonces.has(nonce);
  }

  /** Adds a nonce, effective at once; resolves when it is on disk or cannot be written. Simultaneous calls share one write. */
  add(nonce: string): Promise<void> {
    this.#nonces.add(nonce);
    for (const oldest of this.#nonces) {
      if (this.#nonces.size <= MAX_TOMBSTONES) break;
      this.#nonces.delete(oldest);
    }
    return (this.#next ??= this.#writes.run(() => this.#write()));
  }

  async #write(): Promise<void> {
    this.#next = undefined;
    const { path, disk, onProblem } = this.#options;
    const text = [...this.#nonces, ''].join('\n');
    try {
      await writeAtomically(path, text, { afterPowerCut: 'either', ...(disk && { disk }) });
    } catch (error) {
      onProblem(`ended sessions of clients are not remembered over a restart: ${describeErrno(error)}`);
    }
  }
}

async function readNonces({ path, onProblem }: TombstonesOptions): Promise<readonly string[]> {
  try {
    const text = (await readRegularFile(path, MAX_FILE_BYTES)).toString('latin1');
    return text.split('\n').filter((line) => NONCE.test(line));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT')
      onProblem(`ended sessions of clients were not read: ${describeErrno(error)}`);
    return [];
  }
}
