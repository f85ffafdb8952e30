import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../../shared/json-object.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Clock, Disposable } from '../clock.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { SerialQueue } from '../serial-queue.ts';

/** Data of a server that the doorkeeper needs. */
interface ServedServer {
  /** Name of the server's file in the catalogue, without the suffix for the capabilities of clients and without `.json`. */
  readonly key: string;
  /** True if clients share the main instance; otherwise each client uses an instance for its capabilities. */
  readonly isShared: boolean;
}

/** Servers by name, and the state of servers.json to which they correspond. */
export interface ServedServers {
  readonly servers: ReadonlyMap<string, ServedServer>;
  readonly stamp: string;
  /** Node executable that ran the last doorkeeper. */
  readonly node?: string;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const VERSION = 1;

const pathIn = (home: string) => join(home, 'doorkeeper.json');

/** Returns the state of servers.json: its size and modification time. */
export function stampOf(home: string): string {
  const { size, mtimeMs } = statSync(join(home, 'servers.json'), { throwIfNoEntry: false }) ?? {};
  return `${size} ${mtimeMs}`;
}

interface ServedServersFileOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly node: () => string | undefined;
  readonly servers: () => Iterable<readonly [string, ServedServer]>;
  readonly notice: (line: string) => void;
}

/** Delay in which several changes are combined into one write. */
const WRITE_DELAY_MS = 500;

export class ServedServersFile {
  readonly #options: ServedServersFileOptions;
  readonly #writes = new SerialQueue();
  #timer: Disposable | undefined;
  #written = '';

  constructor(options: ServedServersFileOptions) {
    this.#options = options;
  }

  /** Call it when the servers may have changed. Schedules a write of them, which is skipped if the file already has them. */
  changed(): void {
    this.#timer ??= this.#options.clock.setTimeout(() => void this.#write(), WRITE_DELAY_MS);
  }

  /** Resolves when the last change is on disk. Never rejects. */
  dispose(): Promise<void> {
    return this.#timer ? this.#write() : this.#writes.run(() => Promise.resolve());
  }

  #write(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { home, node, notice, servers } = this.#options;
    return this.#writes.run(async () => {
      const served = { version: VERSION, stamp: stampOf(home), node: node(), servers: [...servers()] };
      const text = `${JSON.stringify(served)}\n`;
      if (text === this.#written) return;
      try {
        await writeAtomically(pathIn(home), text, { afterPowerCut: 'nothing' });
        this.#written = text;
      } catch (error) {
        notice(`${pathIn(home)} was not written: ${messageOf(error)}`);
      }
    });
  }
}

/** Undefined for a missing or damaged file. Never rejects. */
export async function readServedServers(home: string): Promise<ServedServers | undefined> {
  try {
    const value: unknown = JSON.parse(String(await readRegularFile(pathIn(home), MAX_FILE_BYTES)));
    const { version, stamp, node, servers } = isJsonObject(value) ? value : {};
    if (version !== VERSION || typeof stamp !== 'string' || !Array.isArray(servers)) return undefined;
    if (!servers.every(isServed)) return undefined;
    return { stamp, servers: new Map(servers), ...(typeof node === 'string' && { node }) };
  } catch {
    return undefined;
  }
}

function isServed(value: unknown): value is [string, ServedServer] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || !isJsonObject(value[1])) return false;
  const { key, isShared } = value[1];
  return typeof key === 'string' && typeof isShared === 'boolean';
}
