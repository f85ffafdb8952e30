import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { formLine, type KeptLine } from './line-form.ts';
import type { LineTimes } from './line-times.ts';
import { LineWriter } from './line-writer.ts';
import { RotatingFile } from './rotating-file.ts';
import { messageOf } from '../../../shared/message-of.ts';

interface OutputFileOptions {
  /** Folder `<home>/logs/servers`. */
  readonly folder: string;
  readonly server: string;
  readonly clock: Clock;
  readonly times: LineTimes;
  /** Called with one sentence for the user when writing fails; called again only after writing has succeeded in between. */
  readonly onProblem: (message: string) => void;
  readonly maxBytes?: number;
}

const MAX_BYTES = 1024 * 1024;
/** Number of files that a log is divided into, including the one that is being written. */
export const LOG_PARTS = 3;

/**
 * Log of one server on disk: `<server>.log`, each line with its time, run number and source. The last 2 to 3 MiB are kept. If
 * lines arrive faster than the disk writes them, the excess is dropped, and a line reports how many.
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

  /** Marks the start of a new run of the server. From now on, its number appears in reports of lost lines. */
  begin(generation: number): void {
    this.#generation = generation;
  }

  add(line: KeptLine): void {
    this.#writer.add(formLine(line));
  }

  /** Resolves when all lines so far are on disk, or lost. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Writes queued lines, waiting at most two seconds. Do not use this object afterwards. */
  dispose(): Promise<void> {
    return this.#writer.dispose();
  }

  #lossLine(lines: number): string {
    const text = `(${lines} lines were lost here)`;
    const atUs = this.#options.times.next();
    return formLine({ atUs, generation: this.#generation, source: 'stderr', text });
  }
}

/** Folder of the servers' logs, within the folder of all logs. */
export const serversFolder = (folder: string): string => join(folder, 'servers');

/** Names that Windows treats as devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Returns the path of a server's log. Any server name works as a file name; only device names get a `_` in front. */
export function outputPath(folder: string, server: string): string {
  return join(folder, DEVICE.test(server) ? `_${server}.log` : `${server}.log`);
}
