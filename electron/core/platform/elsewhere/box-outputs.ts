import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { OutputName } from './attach-frames.ts';
import { HeardOutput } from './heard-output.ts';

/** Most bytes that are read of a log once more, for what a container may have said at its end. */
const CHEAP_BYTES = 1024 * 1024;

/** Connection to a container until one of its streams ends. */
export interface ContainerLine {
  readonly input: Writable;
  readonly ended: Promise<void>;
  close(): void;
}

/** Outputs of one container or pod, over all its connections: nothing is missing, and nothing comes twice. */
export abstract class BoxOutputs {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  protected heard: Readonly<Record<OutputName, HeardOutput>>;
  /** What is read now: it rests while an output is full. */
  protected source: { pause(): unknown; resume(): unknown } | undefined;

  /** @param from time from which the outputs count; empty for all since the container's start */
  constructor(from: string) {
    this.heard = this.heardFrom(from);
  }

  /** Ends the outputs of a container that has ended. @param isCertain whether its last words came over the connection */
  async finish(isCertain: boolean): Promise<void> {
    if (!isCertain || this.bytesSinceMark < CHEAP_BYTES)
      await this.readLog(false)
        .then((log) => ended(log))
        .catch(() => undefined); // A log that is gone has no more to say.
    this.stdout.end();
    this.stderr.end();
  }

  /** Bytes heard that the log has from its mark on, about. */
  protected get bytesSinceMark(): number {
    return this.heard.stdout.bytesSinceMark + this.heard.stderr.bytesSinceMark;
  }

  protected heardFrom(time: string): Readonly<Record<OutputName, HeardOutput>> {
    return {
      stdout: new HeardOutput((part) => this.pass('stdout', part), time),
      stderr: new HeardOutput((part) => this.pass('stderr', part), time),
    };
  }

  /** Reads the log from where both outputs are known. @param follows whether it goes on with what is said later */
  protected async readLog(follows: boolean): Promise<Readable> {
    const { stdout, stderr } = this.heard;
    const since = stdout.since < stderr.since ? stdout.since : stderr.since;
    for (const output of [stdout, stderr]) output.logBegins();
    const log = await this.openLog(since, follows);
    this.source = log;
    return log;
  }

  /** Opens the log, whose entries `heard` takes. @param since time of its first entry; empty for its beginning */
  protected abstract openLog(since: string, follows: boolean): Promise<Readable>;

  protected pass(output: OutputName, part: Buffer): void {
    const { source } = this;
    if (this[output].write(part) || source === undefined) return;
    source.pause();
    this[output].once('drain', () => source.resume());
  }
}

/** Settles when a stream has ended or broken. */
export function ended(stream: Readable | Writable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close']) stream.once(event, resolve);
    // The next look at the container tells what it means.
    stream.on('error', () => resolve());
  });
}
