import { Writable, type Readable } from 'node:stream';
import type { Clock } from '../../clock.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import {
  BoxOutputs,
  ended,
  type ContainerLine,
  type OutputName,
  timedEntry,
} from '../elsewhere/box-outputs.ts';
import { openPodSocket } from './pod-socket.ts';
import { CONTAINER } from './pod-spec.ts';
import { VERSION_PATH } from './pod-watch.ts';
import { LogSplitter, isProtocolLine, utcOf } from './log-lines.ts';

/** Bytes after which a cluster may have rotated the log (by default at 10 MiB). It then returns only the new log. */
const ROTATION_BYTES = 8 * 1024 * 1024;
/** Maximum bytes that are read of a container's output from before the connection. */
const BANNER_BYTES = 64 * 1024;

/** Channels of a connection to a container. */
const STDIN = 0;
const STATUS = 3;
const OUTPUTS: ReadonlyMap<number, OutputName> = new Map([
  [1, 'stdout'],
  [2, 'stderr'],
]);
/** The newest protocol, and the one of clusters before 1.30. They differ in closing a channel, which the panel never does. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** Returns the output that a line counts as, because the log of a pod does not record which output it came from. */
const kindOf = (line: Buffer): OutputName => (isProtocolLine(line) ? 'stdout' : 'stderr');

/**
 * Outputs of one pod. From the start, messages of the protocol count as standard output and everything else as standard error,
 * because the log of a pod does not record which output a line came from.
 */
export class PodOutputs extends BoxOutputs {
  readonly #api: EngineApi;
  readonly #clock: Clock;
  readonly #path: string;
  /** Output for the current line that arrived over the connection itself. */
  #to: OutputName | undefined;
  #wordCount = 0;
  #wasAttached: boolean;

  /** @param path path of the pod @param from as in `BoxOutputs` */
  constructor(api: EngineApi, clock: Clock, path: string, from: string) {
    super(from);
    this.#api = api;
    this.#clock = clock;
    this.#path = path;
    this.#wasAttached = from !== '';
  }

  /** Adds a line from the panel to standard error. */
  say(line: string): void {
    this.stderr.write(`${line}\n`);
  }

  /**
   * Connects. After the first time, output from the disconnection on comes from the log, because the connection itself would
   * not tell where in the output it begins.
   * @param untilOver waits for the end of a container that seems to have ended
   * @throws if the cluster is not reached or refuses
   */
  async attach(untilOver: () => Promise<void>): Promise<ContainerLine> {
    const isFirst = !this.#wasAttached;
    // The panel's position in a rotated log is unknown. A lost answer is better than a duplicate one.
    if (!isFirst && this.bytesSinceMark > ROTATION_BYTES)
      this.heard = this.heardFrom(await this.#api.now(VERSION_PATH));
    const { ending, input, socket } = await this.#connect(isFirst, untilOver);
    this.#wasAttached = true;
    const line = (log?: Readable): ContainerLine => ({
      input,
      ended: log ? Promise.race([ending, ended(log).then(untilOver)]) : ending,
      close: () => {
        socket.terminate();
        log?.destroy();
      },
    });
    if (isFirst) {
      this.source = socket;
      await this.#readBanner().catch(() => undefined);
      return line();
    }
    try {
      return line(await this.readLog(true));
    } catch (error) {
      socket.terminate();
      throw error;
    }
  }

  protected async openLog(since: string, follows: boolean): Promise<Readable> {
    const from = since && `&sinceTime=${encodeURIComponent(since)}`;
    const log = await this.#streamLog(`${follows ? '&follow=true' : ''}${from}`);
    const splitter = new LogSplitter();
    const take = (line: Buffer) => {
      const { time, said } = timedEntry(line);
      this.heard[kindOf(said)].takeEntry(utcOf(time), said);
    };
    return log
      .on('data', (chunk: Buffer) => splitter.push(chunk).forEach(take))
      .once('end', () => splitter.rest().forEach(take));
  }

  protected override pass(output: OutputName, part: Buffer): void {
    super.pass(this.#to ?? output, part);
  }

  async #connect(hasOutputs: boolean, untilOver: () => Promise<void>) {
    const splitters = { stdout: new LogSplitter(), stderr: new LogSplitter() };
    const outputs = hasOutputs ? '&stdout=true&stderr=true' : '';
    const path = `${this.#path}/attach?container=${CONTAINER}&stdin=true${outputs}`;
    let hasStatus = false;
    const take = (channel: number, part: Buffer) => {
      const output = OUTPUTS.get(channel);
      if (output) splitters[output].push(part).forEach((line) => this.#hear(output, line));
      // This is the last message, however the container ended.
      else if (channel === STATUS) hasStatus = true;
    };
    const { closed, send, socket } = await openPodSocket(this.#api, path, PROTOCOLS, this.#clock, take);
    const input = new Writable({ write: (part: Buffer, _, done) => send(STDIN, part, () => done()) });
    // Errors are ignored here, because the end of the connection reports what went wrong.
    input.on('error', () => undefined);
    const ending = closed.then(async () => {
      input.destroy();
      if (hasStatus) await untilOver();
    });
    return { ending, input, socket };
  }

  #hear(output: OutputName, line: Buffer): void {
    this.#to = output;
    const kind = kindOf(line);
    if (kind === 'stderr') this.#wordCount += 1;
    this.heard[kind].hear(line);
    this.#to = undefined;
  }

  /** Passes on what a container wrote before it was connected to. */
  async #readBanner(): Promise<void> {
    const log = await this.#streamLog(`&limitBytes=${BANNER_BYTES}`);
    const words: Buffer[] = [];
    const splitter = new LogSplitter();
    for await (const part of log)
      for (const line of splitter.push(part as Buffer)) {
        const { said } = timedEntry(line);
        if (!isProtocolLine(said)) words.push(said);
      }
    const unheard = words.slice(0, Math.max(0, words.length - this.#wordCount));
    for (const line of unheard) this.heard.stderr.hear(line);
  }

  #streamLog(how: string): Promise<Readable> {
    return this.#api.stream(`${this.#path}/log?container=${CONTAINER}&timestamps=true${how}`);
  }
}
