import { join } from 'node:path';
import type { OutputLine } from '../../../shared/domain.ts';
import type { Clock } from '../clock.ts';
import { mapInTurns } from '../map-in-turns.ts';
import { formLine, parseLine, type KeptLine } from './line-form.ts';
import { msOf, type LineTimes } from './line-times.ts';
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
/** Bounds of what is shown of earlier launches: more than that nobody reads. */
const MAX_EARLIER_LINES = 1000;
const MAX_EARLIER_BYTES = 256 * 1024;

/**
 * What one server says beside its answers, on disk: `<server>.log`, each line with its time, the number of its run and where
 * it comes from. Kept are the last 2 to 3 MiB. Lines that come faster than the disk takes them are dropped, and a line says how many.
 */
export class OutputFile {
  readonly #options: OutputFileOptions;
  readonly #file: RotatingFile;
  readonly #writer: LineWriter;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #generation = 0;

  constructor(options: OutputFileOptions) {
    this.#options = options;
    const path = outputPath(options.folder, options.server);
    const maxBytes = options.maxBytes ?? MAX_BYTES;
    const file = (this.#file = new RotatingFile({
      path,
      maxBytes,
      maxFiles: LOG_PARTS,
      onProblem: options.onProblem,
    }));
    this.#writer = new LineWriter({
      clock: options.clock,
      write: (text) => this.#inTurn(() => file.append(text)),
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

  /** The last lines of stderr that earlier launches left, oldest first; a line without a stamp is passed over. The file is read anew each time. */
  async earlier(): Promise<readonly Omit<OutputLine, 'id'>[]> {
    const text = await this.#inTurn(() => this.#file.readEarlier(MAX_EARLIER_BYTES));
    const lines = await mapInTurns(text.split('\n'), ({ length }) => length, stderrLine);
    return lines.filter((line) => line !== undefined).slice(-MAX_EARLIER_LINES);
  }

  /** Resolves when everything so far is on disk, or lost. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Writes what waits, within two seconds. The caller's last call. */
  dispose(): Promise<void> {
    return this.#writer.dispose();
  }

  /** Acts one after the other, because a file must not be rotated while it is read. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(act);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  #lossLine(lines: number): string {
    const text = `(${lines} lines were lost here)`;
    const atUs = this.#options.times.next();
    return formLine({ atUs, generation: this.#generation, source: 'stderr', text });
  }
}

function stderrLine(line: string): Omit<OutputLine, 'id'> | undefined {
  const parsed = parseLine(line);
  if (parsed?.source !== 'stderr') return undefined;
  const { atUs, generation, text } = parsed;
  return { at: msOf(atUs), generation, text };
}

/** Names that Windows takes for devices, whatever follows the dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Path of a server's output. Names of servers are safe as file names, but for the names of devices. */
export function outputPath(folder: string, server: string): string {
  return join(folder, DEVICE.test(server) ? `_${server}.log` : `${server}.log`);
}
