import { Writable } from 'node:stream';
import type { RunHost } from '../../../../shared/domain.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { EndByEngine } from '../../platform/containers/engine-link.ts';
import type { ContainerFigures, ContainerReading } from '../../platform/containers/container-reading.ts';
import { drainOutputs } from '../../platform/drain-outputs.ts';
import type { ContainerLine } from '../../platform/elsewhere/box-outputs.ts';
import type { Box, BoxState, Engine } from '../../platform/elsewhere/engine.ts';
import type {
  HostedEnd,
  HostedRun,
  NamedCall,
  RunProcesses,
  StopGraces,
  StopReport,
} from '../../platform/hosted-run.ts';
import type { ExitStatus } from '../../platform/spawner.ts';
import { readInTurns, type PartSink, type StreamReading } from '../../read-in-turns.ts';
import { delay, settlesWithin } from '../../wait.ts';
import type { EngineRecord, EngineRecords } from '../custody/engine-record.ts';

interface EngineRunParts {
  readonly clock: Clock;
  readonly engine: Engine;
  readonly box: Box;
  readonly record: EngineRecord;
  readonly records: EngineRecords;
  readonly marker: string;
  /** Connection to the container; undefined if there is none yet. */
  readonly line: ContainerLine | undefined;
  readonly onHost: () => void;
  /** Keeps the link to the engine open; disposed with the run. */
  readonly use: Disposable;
}

/** Data written within this many ms before the connection broke may be lost, possibly from the middle of a line on. */
const UNCERTAIN_MS = 30_000;
/** Milliseconds between two attempts to connect to a container whose engine answers. */
const RETRY_MS = 500;
const AFTER_END_MS = 2000;
/** Maximum number of calls in a record, and of characters of a name in it, because a record that is too long is not read. */
const MAX_CALLS = 50;
const MAX_NAME = 200;
/** Milliseconds that a stop may take in addition to its grace times. */
const STOP_MARGIN_MS = 15_000;

/** One run in another engine's container. A cut connection is established again. Only the engine reports the container's end. */
export class EngineRun implements HostedRun {
  readonly stdin: Writable;
  readonly pid = undefined;
  readonly record: RunProcesses;
  readonly figures = {
    read: (): ContainerReading | 'out-of-reach' | undefined =>
      this.#line ? this.#figures?.read() : 'out-of-reach',
  };
  readonly firstRequestId: number;
  readonly #parts: EngineRunParts;
  #figures: ContainerFigures | undefined;
  readonly #ended = createDeferred<HostedEnd>();
  readonly exited: Promise<ExitStatus>;
  readonly drained: Promise<HostedEnd>;
  readonly #readings: StreamReading[] = [];
  readonly #endByEngine: EndByEngine;
  readonly #over = new AbortController();
  #line: ContainerLine | undefined;
  #isCut = false;
  #held: (() => void) | undefined;
  #writtenAtMs = -Infinity;
  #state: BoxState | undefined;
  #ending: Promise<StopReport> | undefined;
  #hurry = createDeferred<void>();
  /** JSON of the calls in flight that were last stored in the record, to detect changes. */
  #callsText = '[]';
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: EngineRunParts) {
    this.#parts = parts;
    this.record = { marker: parts.marker, groupPid: undefined, members: [] };
    // Each adoption of the container begins with higher request ids, so that answers to calls of an earlier panel process are
    // not mistaken for answers to new calls.
    this.firstRequestId = parts.record.adoptions * 1e9;
    this.stdin = new Writable({
      write: (part: Buffer, _, done) => this.#write(part, done),
      writev: (parts_, done) => this.#write(Buffer.concat(parts_.map(({ chunk }) => chunk as Buffer)), done),
    });
    if (parts.record.adoptions > 0) this.#writtenAtMs = parts.clock.now();
    this.exited = this.#ended.promise.then(({ exitCode, signal }) => ({
      ...(exitCode !== undefined && { exitCode }),
      ...(signal !== undefined && { signal }),
    }));
    this.#endByEngine = new EndByEngine(parts.engine.link, () => parts.box.id, this.exited);
    this.drained = this.#drain();
    void this.#live(parts.line);
    void this.#look().then(parts.onHost);
  }

  get host(): RunHost {
    const { box, engine } = this.#parts;
    const { memoryLimitBytes } = this.#state ?? {};
    return {
      ...{ kind: engine.kind, engine: engine.link.name, id: box.id },
      ...(engine.link.version !== undefined && { engineVersion: engine.link.version }),
      ...(memoryLimitBytes !== undefined && { memoryLimitBytes }),
      ...(this.#isCut && !this.hasExited && { isOutOfReach: true }),
    };
  }
  get hasExited(): boolean {
    return this.#over.signal.aborted;
  }

  readStdout(sink: PartSink): void {
    this.#readings.push(readInTurns(this.#parts.box.outputs.stdout, sink, this.#parts.clock));
  }
  readStderr(sink: PartSink): void {
    this.#readings.push(readInTurns(this.#parts.box.outputs.stderr, sink, this.#parts.clock));
  }
  remember(): void {
    // Nothing to record: the container's processes run on the other machine.
  }

  rememberCalls(calls: readonly NamedCall[], generation: number | undefined): void {
    const { record, records } = this.#parts;
    const short = (text: string | undefined) => text?.slice(0, MAX_NAME);
    const named = calls.slice(0, MAX_CALLS).map(({ method, target, by, client, isGivenUp }) => ({
      ...{ method: method.slice(0, MAX_NAME), target: short(target), by, client: short(client), isGivenUp },
    }));
    const text = JSON.stringify(named);
    if (text === this.#callsText || this.#ending) return;
    this.#callsText = text;
    const save = () => (this.#ending ? undefined : records.write({ ...record, calls: named, generation }));
    // Errors are ignored. If the panel dies and the record lacks the calls, a later panel process cannot name the lost calls.
    this.#saving = this.#saving.then(save).catch(() => undefined);
  }

  /**
   * Ends the container: SIGTERM, then SIGKILL after both grace times, because the end of input does not reach a server on
   * another machine. The record is kept if the engine cannot be reached.
   */
  end({ stopGraceMs, killGraceMs }: StopGraces): Promise<StopReport> {
    this.#ending ??= this.#endWithin(stopGraceMs + killGraceMs);
    return this.#ending;
  }

  kill(): Promise<StopReport> {
    this.#hurry.resolve();
    return this.end({ stopGraceMs: 0, killGraceMs: 0 });
  }

  async #endWithin(graceMs: number): Promise<StopReport> {
    const { box, clock, engine, record, records, use } = this.#parts;
    let leftContainer: string | undefined;
    try {
      await this.#saving;
      await records.write({ ...record, isWanted: false });
      if (!this.hasExited && graceMs > 0) {
        const graceS = Math.ceil(graceMs / 1000);
        const limitMs = graceS * 1000 + STOP_MARGIN_MS;
        const stopped = box.stop(graceS, limitMs);
        await Promise.race([stopped, this.#hurry.promise]);
        stopped.catch(() => undefined);
        await Promise.race([settlesWithin(clock, this.exited, AFTER_END_MS), this.#hurry.promise]);
      }
      await box.remove();
      await records.remove(record);
    } catch (error) {
      leftContainer = `its ${engine.kind} on ${engine.link.name} could not be removed, its next start or that of the panel tries again: ${messageOf(error)}`;
    }
    if (!this.hasExited) await settlesWithin(clock, this.exited, AFTER_END_MS);
    this.#finish({ signal: 'SIGKILL' });
    await settlesWithin(clock, this.drained, AFTER_END_MS);
    this.stdin.destroy();
    use.dispose();
    records.release(record);
    return { exit: await this.exited, forceKilledPids: [], leftPids: [], leftContainer };
  }

  /** Connects to the container repeatedly, until the engine reports that it has ended. */
  async #live(first: ContainerLine | undefined): Promise<void> {
    const { box, clock, engine } = this.#parts;
    const { signal } = this.#over;
    let line = first;
    let isCertain = true;
    while (!signal.aborted) {
      if (line) {
        await this.#useLine(line);
        line = undefined;
      }
      if (signal.aborted) return;
      const state = await this.#look();
      if (state?.kind === 'ended') {
        await box.outputs.finish(isCertain);
        return this.#finish(state.end ?? {});
      }
      isCertain = false;
      if (state?.kind === 'running') line = await box.attach().catch(() => undefined);
      if (line === undefined) {
        if (state?.kind !== 'waiting') this.#setCut(true);
        await delay(clock, RETRY_MS, signal);
        await engine.link.reached(signal);
      }
    }
    line?.close();
  }

  /** Resolves when the connection has ended, the engine was lost, or the run has ended. */
  async #useLine(line: ContainerLine): Promise<void> {
    const { box, clock, engine } = this.#parts;
    const { link } = engine;
    const over = createDeferred<void>();
    const unsubscribe = [
      link.lost.subscribe(() => over.resolve()),
      link.happened.subscribe((event) => {
        // A dead connection does not report the end of the container, so the event of the engine is used too. The delay gives a
        // working connection time to deliver the last output.
        if (event.id === box.id && event.action === 'die')
          clock.setTimeout(() => over.resolve(), AFTER_END_MS);
      }),
    ];
    const finish = () => over.resolve();
    this.#over.signal.addEventListener('abort', finish, { once: true });
    // The server may have received only a part of the last line. A newline prevents the next message from being appended to
    // that part.
    if (clock.now() - this.#writtenAtMs < UNCERTAIN_MS) line.input.write('\n');
    this.#line = line;
    this.#held?.();
    this.#setCut(false);
    this.#figures = box.openFigures();
    await Promise.race([line.ended, over.promise]);
    this.#line = undefined;
    this.#figures.dispose();
    this.#figures = undefined;
    for (const end of unsubscribe) end();
    this.#over.signal.removeEventListener('abort', finish);
    line.close();
  }

  #setCut(isCut: boolean): void {
    if (this.#isCut === isCut) return;
    this.#isCut = isCut;
    this.#parts.onHost();
  }

  /** Asks the engine for the state of the container. Never rejects. */
  async #look(): Promise<BoxState | undefined> {
    const state = await this.#parts.box.look().catch(() => undefined);
    if (state) this.#state = { ...this.#state, ...state };
    return state;
  }

  #write(part: Buffer, done: () => void): void {
    const send = () => {
      this.#held = undefined;
      const { clock } = this.#parts;
      this.#writtenAtMs = clock.now();
      // Data that was lost with a connection is not sent again, because it may have arrived.
      this.#line?.input.write(part, () => done());
    };
    if (this.#line?.input.writable) send();
    else this.#held = send;
  }

  #finish(end: HostedEnd): void {
    if (this.hasExited) return;
    this.#over.abort();
    this.#parts.box.outputs.stdout.end();
    this.#parts.box.outputs.stderr.end();
    this.#ended.resolve(end);
  }

  async #drain(): Promise<HostedEnd> {
    const end = await this.#ended.promise;
    await drainOutputs(this.#parts.clock, this.#readings);
    // If the panel itself ended the run, no other reason has to be found.
    if (this.#ending) return this.exited;
    const isExplained = end.outOfMemory !== undefined || end.why !== undefined;
    return !isExplained && (await this.#endByEngine.tells()) ? { ...end, isEngineLost: true } : end;
  }
}
