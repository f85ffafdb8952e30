import { PassThrough, type Readable, type Writable } from 'node:stream';
import { FrameSplitter, type OutputName } from './attach-frames.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import { HeardOutput, timedEntry } from './heard-output.ts';

/** Most bytes that are read of a log once more, for what a container may have said at its end. */
const CHEAP_BYTES = 1024 * 1024;
const NANOS = 9;

/** Connection to a container until one of its streams ends. */
export interface ContainerLine {
  readonly input: Writable;
  readonly ended: Promise<void>;
  close(): void;
}

/** Outputs of one container, over all its connections: nothing is missing, and nothing comes twice. */
export class ContainerOutputs {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly #api: EngineApi;
  readonly #path: string;
  readonly #heard: Readonly<Record<OutputName, HeardOutput>>;
  #source: Readable | undefined;

  /** @param from time from which the outputs count; empty for all since the container's start */
  constructor(api: EngineApi, id: string, from: string) {
    this.#api = api;
    this.#path = `/containers/${id}`;
    this.#heard = {
      stdout: new HeardOutput((part) => this.#pass('stdout', part), from),
      stderr: new HeardOutput((part) => this.#pass('stderr', part), from),
    };
  }

  /** Connects to the container before its start. @throws if the engine is not reached or refuses */
  async attach(): Promise<ContainerLine> {
    const input = await this.#api.attach(`${this.#path}/attach?stream=1&stdin=1&stdout=1&stderr=1`);
    const splitter = new FrameSplitter((output, part) => this.#heard[output].hear(part));
    this.#source = input.on('data', (chunk: Buffer) => splitter.push(chunk));
    return lineOf(input);
  }

  /**
   * Connects again. What was said meanwhile, and all later output, comes from the log, which an engine writes without a gap;
   * the connection itself would not say where in the output it begins. @throws as `attach`
   */
  async attachAgain(): Promise<ContainerLine> {
    const input = await this.#api.attach(`${this.#path}/attach?stream=1&stdin=1`);
    input.resume();
    try {
      const log = await this.#readLog('&follow=1');
      return lineOf(input, log);
    } catch (error) {
      input.destroy();
      throw error;
    }
  }

  /** Ends the outputs of a container that has ended. @param isCertain whether its last words came over the connection */
  async finish(isCertain: boolean): Promise<void> {
    const { stdout, stderr } = this.#heard;
    if (!isCertain || stdout.bytesSinceMark + stderr.bytesSinceMark < CHEAP_BYTES)
      await this.#readLog('')
        .then((log) => ended(log))
        .catch(() => undefined); // A log that is gone has no more to say.
    this.stdout.end();
    this.stderr.end();
  }

  async #readLog(how: string): Promise<Readable> {
    const { stdout, stderr } = this.#heard;
    const since = stdout.since < stderr.since ? stdout.since : stderr.since;
    const from = since === '' ? '' : `&since=${secondsOf(since)}`;
    for (const output of [stdout, stderr]) output.logBegins();
    const log = await this.#api.stream(`${this.#path}/logs?stdout=1&stderr=1&timestamps=1${from}${how}`);
    let parts: Buffer[] = [];
    const splitter = new FrameSplitter((output, part, isLast) => {
      parts.push(part);
      if (!isLast) return;
      const entry = Buffer.concat(parts);
      parts = [];
      const { time, said } = timedEntry(entry);
      this.#heard[output].takeEntry(time, said);
    });
    this.#source = log.on('data', (chunk: Buffer) => splitter.push(chunk));
    return log;
  }

  #pass(output: OutputName, part: Buffer): void {
    pour(part, this[output], this.#source);
  }
}

/** Writes a part to an output, and lets its source rest while that is full. */
export function pour(
  part: Buffer,
  to: PassThrough,
  source: { pause(): unknown; resume(): unknown } | undefined,
): void {
  if (to.write(part) || source === undefined) return;
  source.pause();
  to.once('drain', () => source.resume());
}

/** Seconds of the epoch, to the nanosecond, of a time such as `2026-01-02T03:04:05.678901234Z`. */
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

/** Settles when a stream has ended or broken. */
export function ended(stream: Readable | Writable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close']) stream.once(event, resolve);
    // The next look at the container tells what it means.
    stream.on('error', () => resolve());
  });
}
