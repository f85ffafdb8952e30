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

/** Number of bytes after which the cluster (default: 10 MiB) may have rotated the log. It then returns only the new log. */
const ROTATION_BYTES = 8 * 1024 * 1024;
/** Maximum bytes that are read of what a container wrote before the panel was connected to it. */
const BANNER_BYTES = 64 * 1024;

/** Channels of a connection to a container. */
const STDIN = 0;
const STATUS = 3;
const OUTPUTS: ReadonlyMap<number, OutputName> = new Map([
  [1, 'stdout'],
  [2, 'stderr'],
]);
/**
 * Protocols of the connection: the newest one, and the one that clusters before 1.30 use. They differ only in how a channel is
 * closed, which the panel never does.
 */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** Returns the output to which a line of the log is assigned; the log of a pod does not record where it was written. */
const kindOf = (line: Buffer): OutputName => (isProtocolLine(line) ? 'stdout' : 'stderr');

/**
 * Outputs of one pod. Messages of the MCP protocol count as standard output and all other lines as standard error. The log of a
 * pod does not record to which output a line was written, so this rule applies to output over the connection as well.
 */
export class PodOutputs extends BoxOutputs {
  readonly #api: EngineApi;
  readonly #clock: Clock;
  readonly #path: string;
  /** Output to which the container really wrote the current line; known only for lines that arrive over the connection. */
  #to: OutputName | undefined;
  #wordCount = 0;
  #wasAttached: boolean;

  /** @param path path of the pod @param from time from which output is delivered; empty for all since the container's start */
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
   * Connects to the container. When it connects again, the output comes from the log from the disconnection on, because the
   * connection would not say at which point of the output it begins.
   * @param untilOver called when the container seems to have ended; settles when the cluster has reported the end
   * @throws if the cluster is not reached or refuses
   */
  async attach(untilOver: () => Promise<void>): Promise<ContainerLine> {
    const isFirst = !this.#wasAttached;
    // After a rotation, the panel cannot find its position in the log. It skips the output until now, because a lost answer is
    // better than a duplicate one.
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
      // The cluster sends a status as the last message, however the container ended.
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

  /** Passes on what the container wrote to standard error before the panel connected. */
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
