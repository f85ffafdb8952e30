import { PassThrough, type Readable } from 'node:stream';
import type { Clock } from '../../clock.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import type { OutputName } from '../elsewhere/attach-frames.ts';
import { ended, pour, type ContainerLine } from '../elsewhere/container-lines.ts';
import { HeardOutput, timedEntry } from '../elsewhere/heard-output.ts';
import { attachToPod } from './pod-attach.ts';
import { CONTAINER } from './pod-spec.ts';
import { LogSplitter, isProtocolLine, utcOf } from './log-lines.ts';

/** Most bytes that are read of a log once more, for what a container may have said at its end. */
const CHEAP_BYTES = 1024 * 1024;
/** Bytes after which a cluster may have put the log aside and begun a new one, of which alone it tells; by default, 10 MiB. */
const ROTATION_BYTES = 8 * 1024 * 1024;
/** Most bytes that are read of what a container said before it was connected to. */
const BANNER_BYTES = 64 * 1024;

/**
 * Outputs of one pod, over all its connections. The log of a pod does not say which output a line came from: there, messages
 * of the protocol count as standard output and all else as standard error, and both are counted so from the start.
 */
export class PodOutputs {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly #api: EngineApi;
  readonly #clock: Clock;
  readonly #path: string;
  readonly #now: () => Promise<string>;
  #messages!: HeardOutput;
  #words!: HeardOutput;
  /** Where a line goes that came over the connection itself. */
  #to: OutputName | undefined;
  #wordCount = 0;
  #source: { pause(): unknown; resume(): unknown } | undefined;
  #wasAttached: boolean;

  /** @param path of the pod @param from time from which the outputs count; empty for all since its start @param now that of the cluster */
  constructor(
    api: EngineApi,
    clock: Clock,
    path: string,
    { from, now }: { from: string; now: () => Promise<string> },
  ) {
    this.#api = api;
    this.#clock = clock;
    this.#path = path;
    this.#wasAttached = from !== '';
    this.#now = now;
    this.#hearFrom(from);
  }

  /** Adds a line of the panel to standard error. */
  say(line: string): void {
    this.stderr.write(`${line}\n`);
  }

  /**
   * Connects. From the second time on, what was said meanwhile and all later output comes from the log, because the connection
   * itself would not say where in the output it begins. @param untilOver waits for the end of a container that seems to have ended
   * @throws if the cluster is not reached or refuses
   */
  async attach(untilOver: () => Promise<void>): Promise<ContainerLine> {
    const isFirst = !this.#wasAttached;
    // Where in such a log this panel was is not known: better a lost answer than one that comes twice.
    if (!isFirst && this.#bytes > ROTATION_BYTES) this.#hearFrom(await this.#now());
    const splitters = { stdout: new LogSplitter(), stderr: new LogSplitter() };
    const outputs = isFirst ? '&stdout=true&stderr=true' : '';
    const connection = await attachToPod(
      this.#api,
      `${this.#path}/attach?container=${CONTAINER}&stdin=true${outputs}`,
      this.#clock,
      (output, part) => splitters[output].push(part).forEach((line) => this.#hear(output, line)),
    );
    this.#wasAttached = true;
    const ending = connection.ended.then(async (hasEnded) => {
      if (hasEnded) await untilOver();
    });
    const line = (log?: Readable): ContainerLine => ({
      input: connection.input,
      ended: log ? Promise.race([ending, ended(log).then(untilOver)]) : ending,
      close: () => {
        connection.close();
        log?.destroy();
      },
    });
    if (isFirst) {
      this.#source = connection;
      await this.#readBanner().catch(() => undefined);
      return line();
    }
    try {
      return line(await this.#readLog('&follow=true'));
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Ends the outputs of a pod that has ended. @param isCertain whether its last words came over the connection */
  async finish(isCertain: boolean): Promise<void> {
    if (!isCertain || this.#bytes < CHEAP_BYTES)
      await this.#readLog('')
        .then((log) => ended(log))
        .catch(() => undefined); // A log that is gone has no more to say.
    this.stdout.end();
    this.stderr.end();
  }

  #hearFrom(time: string): void {
    this.#messages = new HeardOutput((part) => this.#pass(this.#to ?? 'stdout', part), time);
    this.#words = new HeardOutput((part) => this.#pass(this.#to ?? 'stderr', part), time);
  }

  get #bytes(): number {
    return this.#messages.bytesSinceMark + this.#words.bytesSinceMark;
  }

  #hear(output: OutputName, line: Buffer): void {
    this.#to = output;
    if (isProtocolLine(line)) this.#messages.hear(line);
    else {
      this.#wordCount += 1;
      this.#words.hear(line);
    }
    this.#to = undefined;
  }

  /** Passes on the words that a container wrote before it was connected to. */
  async #readBanner(): Promise<void> {
    const log = await this.#openLog(`&limitBytes=${BANNER_BYTES}`);
    const words: Buffer[] = [];
    const splitter = new LogSplitter();
    for await (const part of log)
      for (const line of splitter.push(part as Buffer)) {
        const { said } = timedEntry(line);
        if (!isProtocolLine(said)) words.push(said);
      }
    for (const line of words.slice(0, Math.max(0, words.length - this.#wordCount))) this.#words.hear(line);
  }

  async #readLog(how: string): Promise<Readable> {
    const { since: one } = this.#messages;
    const { since: other } = this.#words;
    const since = one < other ? one : other;
    for (const heard of [this.#messages, this.#words]) heard.logBegins();
    const log = await this.#openLog(`${how}${since && `&sinceTime=${encodeURIComponent(since)}`}`);
    const splitter = new LogSplitter();
    const take = (line: Buffer) => {
      const { time, said } = timedEntry(line);
      const heard = isProtocolLine(said) ? this.#messages : this.#words;
      heard.takeEntry(utcOf(time), said);
    };
    this.#source = log
      .on('data', (chunk: Buffer) => splitter.push(chunk).forEach(take))
      .once('end', () => splitter.rest().forEach(take));
    return log;
  }

  #openLog(how: string): Promise<Readable> {
    return this.#api.stream(`${this.#path}/log?container=${CONTAINER}&timestamps=true${how}`);
  }

  #pass(output: OutputName, part: Buffer): void {
    pour(part, this[output], this.#source);
  }
}
