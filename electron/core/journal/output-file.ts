import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { formLine, type KeptLine } from './line-form.ts';
import type { LineTimes } from './line-times.ts';
import { LineWriter } from './line-writer.ts';
import { RotatingFile } from './rotating-file.ts';
import { messageOf } from '../../../shared/message-of.ts';

export interface OutputFileOptions {
  /** The folder `<home>/logs/servers`. */
  readonly folder: string;
  readonly server: string;
  readonly clock: Clock;
  readonly times: LineTimes;
  /** One sentence for people, once until writing succeeds again. */
  readonly onProblem: (message: string) => void;
  readonly maxBytes?: number;
}

const MAX_BYTES = 1024 * 1024;
/** Parts of a log, the current one included. */
export const LOG_PARTS = 3;

/**
 * What one server says beside its answers, on disk: `<server>.log`, each line with its time, the number of its run and where
 * it comes from. Kept are the last 2 to 3 MiB. Lines that come faster than the disk takes them are dropped, and a line says how many.
 */
export class OutputFile {
  readonly #options: OutputFileOptions;
  readonly #writer: LineWriter;
  #generation = 0;

  constructor(options: OutputFileOptions) {
    this.#options = options;
    const path = outputPath(options.folder, options.server);
    const maxBytes = options.maxBytes ?? MAX_BYTES;
    const file = new RotatingFile({ path, maxBytes, maxFiles: LOG_PARTS, onProblem: options.onProblem });
    this.#writer = new LineWriter({
      clock: options.clock,
      write: (text) => file.append(text),
      lossLine: (lines) => this.#lossLine(lines),
      onFailure: (error) =>
        options.onProblem(`Output of ${options.server} could not be written to ${path}: ${messageOf(error)}`),
    });
  }

  /** A new run begins: what follows is its output. */
  begin(generation: number): void {
    this.#generation = generation;
  }

  add(line: KeptLine): void {
    this.#writer.add(formLine(line));
  }

  /** Resolves when everything so far is on disk, or lost. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Writes what waits, within two seconds. The caller's last call. */
  dispose(): Promise<void> {
    return this.#writer.dispose();
  }

  #lossLine(lines: number): string {
    const text = `(${lines} lines were lost here)`;
    const atUs = this.#options.times.next();
    return formLine({ atUs, generation: this.#generation, source: 'stderr', text });
  }
}

/** Names that Windows takes for devices, whatever follows the dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Path of a server's output. Names of servers are safe as file names, but for the names of devices. */
export function outputPath(folder: string, server: string): string {
  return join(folder, DEVICE.test(server) ? `_${server}.log` : `${server}.log`);
}
