import type { Readable, Writable } from 'node:stream';
import type { EngineApi } from '../containers/engine-api.ts';
import { BoxOutputs, type OutputName, ended, type ContainerLine, timedEntry } from './box-outputs.ts';

const NANOS = 9;

/** Outputs of one container of a docker engine. */
export class ContainerOutputs extends BoxOutputs {
  readonly #api: EngineApi;
  readonly #path: string;

  /** @param from time from which output is delivered; empty for all output since the container's start */
  constructor(api: EngineApi, id: string, from: string) {
    super(from);
    this.#api = api;
    this.#path = `/containers/${id}`;
  }

  /** Connects to the container before its start. @throws if the engine is not reached or refuses */
  async attach(): Promise<ContainerLine> {
    const input = await this.#api.attach(`${this.#path}/attach?stream=1&stdin=1&stdout=1&stderr=1`);
    const splitter = new FrameSplitter((output, part) => this.heard[output].hear(part));
    this.source = input.on('data', (chunk: Buffer) => splitter.push(chunk));
    return lineOf(input);
  }

  /**
   * Connects again after a disconnection. The output comes from the log, which the engine writes without a gap. An attached
   * connection would not say at which point of the output it begins. @throws as `attach`
   */
  async attachAgain(): Promise<ContainerLine> {
    const input = await this.#api.attach(`${this.#path}/attach?stream=1&stdin=1`);
    input.resume();
    try {
      return lineOf(input, await this.readLog(true));
    } catch (error) {
      input.destroy();
      throw error;
    }
  }

  protected async openLog(since: string, follows: boolean): Promise<Readable> {
    const how = (since === '' ? '' : `&since=${secondsOf(since)}`) + (follows ? '&follow=1' : '');
    const log = await this.#api.stream(`${this.#path}/logs?stdout=1&stderr=1&timestamps=1${how}`);
    let parts: Buffer[] = [];
    const splitter = new FrameSplitter((output, part, isLast) => {
      parts.push(part);
      if (!isLast) return;
      const { time, said } = timedEntry(Buffer.concat(parts));
      parts = [];
      this.heard[output].takeEntry(time, said);
    });
    return log.on('data', (chunk: Buffer) => splitter.push(chunk));
  }
}

/** Epoch seconds, to the nanosecond, of a time such as `2026-01-02T03:04:05.678901234Z`. */
export function secondsOf(time: string): string {
  const [whole = '', fraction = ''] = time.replace(/Z$/, '').split('.', 2);
  return `${Date.parse(`${whole}Z`) / 1000}.${fraction.padEnd(NANOS, '0')}`;
}

function lineOf(input: Writable, ...others: readonly Readable[]): ContainerLine {
  const streams = [input, ...others];
  return {
    input,
    ended: Promise.race(streams.map(ended)),
    close: () => streams.forEach((stream) => void stream.destroy()),
  };
}

const HEADER_BYTES = 8;

/**
 * Splits the stream in which an engine mixes both outputs of a container. It consists of frames: the type (which output), three
 * zeros, the length (4 bytes), and then that many bytes. The stream may arrive cut at any byte; parts of a frame are passed on
 * as they arrive.
 */
export class FrameSplitter {
  readonly #onPart: (output: OutputName, part: Buffer, isLast: boolean) => void;
  #header = Buffer.alloc(0);
  #output: OutputName = 'stdout';
  #left = 0;

  /** @param onPart called with each part of a frame; `isLast` is true for the part that completes the frame */
  constructor(onPart: (output: OutputName, part: Buffer, isLast: boolean) => void) {
    this.#onPart = onPart;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left === 0) rest = this.#readHeader(rest);
      if (this.#left === 0) continue;
      const part = rest.subarray(0, this.#left);
      rest = rest.subarray(part.length);
      this.#left -= part.length;
      if (part.length > 0) this.#onPart(this.#output, part, this.#left === 0);
    }
  }

  #readHeader(rest: Buffer): Buffer {
    const missing = HEADER_BYTES - this.#header.length;
    this.#header = Buffer.concat([this.#header, rest.subarray(0, missing)]);
    if (this.#header.length === HEADER_BYTES) {
      this.#output = this.#header[0] === 2 ? 'stderr' : 'stdout';
      this.#left = this.#header.readUInt32BE(4);
      this.#header = Buffer.alloc(0);
    }
    return rest.subarray(missing);
  }
}
