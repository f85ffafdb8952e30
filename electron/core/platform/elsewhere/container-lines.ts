import type { Readable, Writable } from 'node:stream';
import { FrameSplitter } from './attach-frames.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import { BoxOutputs, ended, type ContainerLine } from './box-outputs.ts';
import { timedEntry } from './heard-output.ts';

const NANOS = 9;

/** Outputs of one container of a docker engine. */
export class ContainerOutputs extends BoxOutputs {
  readonly #api: EngineApi;
  readonly #path: string;

  /** @param from as `BoxOutputs` has it */
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
   * Connects again. What was said meanwhile, and all later output, comes from the log, which an engine writes without a gap;
   * the connection itself would not say where in the output it begins. @throws as `attach`
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
