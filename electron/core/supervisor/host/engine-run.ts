import { Writable } from 'node:stream';
import type { RunHost } from '../../../../shared/run-host.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import type { ContainerReading } from '../../platform/containers/container-reading.ts';
import { containerStateOf, type ContainerState } from '../../platform/containers/engine-client.ts';
import { EndByEngine } from '../../platform/containers/end-by-engine.ts';
import type { EngineLink } from '../../platform/containers/engine-link.ts';
import { EngineStats } from '../../platform/containers/engine-stats.ts';
import { drainOutputs } from '../../platform/drain-outputs.ts';
import type { ContainerLine, ContainerOutputs } from '../../platform/elsewhere/container-lines.ts';
import type {
  HostedEnd,
  HostedRun,
  RunProcesses,
  StopGraces,
  StopReport,
} from '../../platform/hosted-run.ts';
import type { ExitStatus } from '../../platform/spawner.ts';
import { readInTurns, type PartSink, type StreamReading } from '../../read-in-turns.ts';
import { delay, settlesWithin } from '../../wait.ts';
import type { EngineRecord, EngineRecords } from '../custody/engine-record.ts';
import { removeContainer } from './remove-container.ts';

export interface EngineRunParts {
  readonly clock: Clock;
  readonly link: EngineLink;
  readonly id: string;
  readonly outputs: ContainerOutputs;
  readonly record: EngineRecord;
  readonly records: EngineRecords;
  /** Random marker of the run. */
  readonly marker: string;
  /** Undefined for a container that is adopted. */
  readonly line: ContainerLine | undefined;
  readonly onHost: () => void;
  /** Keeps the link; disposed with the run. */
  readonly use: Disposable;
}

/** Milliseconds before a cut in which what was written may have been lost in the midst of a line. */
const UNCERTAIN_MS = 30_000;
/** Milliseconds between two attempts to connect to a container on an engine that answers. */
const RETRY_MS = 500;
const AFTER_END_MS = 2000;
/** Milliseconds that a stop may take beside its graces. */
const STOP_MARGIN_MS = 15_000;

/** One run in a container of another engine. A connection that is cut is made again; only the engine tells of an end. */
export class EngineRun implements HostedRun {
  readonly stdin: Writable;
  readonly pid = undefined;
  readonly record: RunProcesses;
  readonly figures = {
    read: (): ContainerReading | 'out-of-reach' | undefined =>
      this.#line ? this.#stats?.read() : 'out-of-reach',
  };
  readonly firstRequestId: number;
  readonly #parts: EngineRunParts;
  #stats: EngineStats | undefined;
  readonly #exited = createDeferred<ExitStatus>();
  readonly exited = this.#exited.promise;
  readonly drained: Promise<HostedEnd>;
  readonly #readings: StreamReading[] = [];
  readonly #endByEngine: EndByEngine;
  readonly #over = new AbortController();
  #line: ContainerLine | undefined;
  #isCut = false;
  #held: (() => void) | undefined;
  #writtenAtMs = -Infinity;
  #state: ContainerState | undefined;
  #ending: Promise<StopReport> | undefined;
  #hurry = createDeferred<void>();

  constructor(parts: EngineRunParts) {
    this.#parts = parts;
    this.record = { marker: parts.marker, groupPid: undefined, members: [] };
    // Answers to the calls of an earlier panel must not be taken for those to ours.
    this.firstRequestId = parts.record.adoptions * 1e9;
    this.stdin = new Writable({
      write: (part: Buffer, _, done) => this.#write(part, done),
      writev: (parts_, done) => this.#write(Buffer.concat(parts_.map(({ chunk }) => chunk as Buffer)), done),
    });
    if (parts.line === undefined) this.#writtenAtMs = parts.clock.now();
    this.#endByEngine = new EndByEngine(parts.link, () => parts.id, this.exited);
    this.drained = this.#drain();
    void this.#live(parts.line);
    void this.#look().then(parts.onHost);
  }

  get host(): RunHost {
    const { id, link } = this.#parts;
    const { memoryLimitBytes } = this.#state ?? {};
    return {
      ...{ kind: 'container', engine: link.name, id },
      ...(memoryLimitBytes !== undefined && { memoryLimitBytes }),
      ...(this.#isCut && !this.hasExited && { isOutOfReach: true }),
    };
  }
  get hasExited(): boolean {
    return this.#over.signal.aborted;
  }

  readStdout(sink: PartSink): void {
    this.#readings.push(readInTurns(this.#parts.outputs.stdout, sink, this.#parts.clock));
  }
  readStderr(sink: PartSink): void {
    this.#readings.push(readInTurns(this.#parts.outputs.stderr, sink, this.#parts.clock));
  }
  remember(): void {
    // Its processes are the other machine's.
  }

  /**
   * Ends the container: SIGTERM, SIGKILL after both graces, because the end of input does not reach a server elsewhere. The
   * record stays where the engine is out of reach.
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
    const { clock, id, link, record, records, use } = this.#parts;
    let leftContainer: string | undefined;
    try {
      await records.write({ ...record, isWanted: false });
      if (!this.hasExited && graceMs > 0) {
        const graceS = Math.ceil(graceMs / 1000);
        const limitMs = graceS * 1000 + STOP_MARGIN_MS;
        const stopped = link.api.ask('POST', `/containers/${id}/stop?t=${graceS}`, { limitMs });
        await Promise.race([stopped, this.#hurry.promise]);
        stopped.catch(() => undefined);
        await Promise.race([settlesWithin(clock, this.exited, AFTER_END_MS), this.#hurry.promise]);
      }
      await removeContainer(link.api, clock, id, record.withVolumes);
      await records.remove(record);
    } catch (error) {
      leftContainer = `its container on ${link.name} could not be removed, its next start or that of the panel tries again: ${messageOf(error)}`;
    }
    if (!this.hasExited) await settlesWithin(clock, this.exited, AFTER_END_MS);
    this.#finish({ signal: 'SIGKILL' });
    await settlesWithin(clock, this.drained, AFTER_END_MS);
    this.stdin.destroy();
    use.dispose();
    records.release(record);
    return { exit: await this.exited, forceKilledPids: [], leftPids: [], leftContainer };
  }

  /** Connects to the container again and again, until the engine says that it has ended. */
  async #live(first: ContainerLine | undefined): Promise<void> {
    const { clock, link, outputs } = this.#parts;
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
      if (state === 'ended') {
        await outputs.finish(isCertain);
        const { isRunning = true, exitCode = 0 } = this.#state ?? {};
        // One that was seen running and is gone was removed by force.
        return this.#finish(isRunning ? { signal: 'SIGKILL' } : { exitCode });
      }
      isCertain = false;
      if (state === 'running') line = await outputs.attachAgain().catch(() => undefined);
      if (line === undefined) {
        this.#setCut(true);
        await delay(clock, RETRY_MS, signal);
        await link.reached(signal);
      }
    }
    line?.close();
  }

  /** Resolves when the line has ended, or the engine was lost, or the run is over. */
  async #useLine(line: ContainerLine): Promise<void> {
    const { clock, id, link } = this.#parts;
    const over = createDeferred<void>();
    const unsubscribe = [
      link.lost.subscribe(() => over.resolve()),
      link.happened.subscribe((event) => {
        // A connection that is dead does not tell the end; one that lives tells it after the last words.
        if (event.id === id && event.action === 'die') clock.setTimeout(() => over.resolve(), AFTER_END_MS);
      }),
    ];
    const finish = () => over.resolve();
    this.#over.signal.addEventListener('abort', finish, { once: true });
    // Only a part of the last line may have arrived, and the next message must not be added to it.
    if (clock.now() - this.#writtenAtMs < UNCERTAIN_MS) line.input.write('\n');
    this.#line = line;
    this.#held?.();
    this.#setCut(false);
    this.#stats = new EngineStats(link, id, clock);
    await Promise.race([line.ended, over.promise]);
    this.#line = undefined;
    this.#stats.dispose();
    this.#stats = undefined;
    for (const end of unsubscribe) end();
    this.#over.signal.removeEventListener('abort', finish);
    line.close();
  }

  #setCut(isCut: boolean): void {
    if (this.#isCut === isCut) return;
    this.#isCut = isCut;
    this.#parts.onHost();
  }

  /** Asks the engine how the container is. Never rejects. */
  async #look(): Promise<'running' | 'ended' | 'unknown'> {
    const { id, link } = this.#parts;
    try {
      const { status, body } = await link.api.ask('GET', `/containers/${id}/json`);
      if (status === 404) return 'ended';
      const state = containerStateOf(body);
      if (state === undefined) return 'unknown';
      this.#state = state;
      return state.isRunning ? 'running' : 'ended';
    } catch {
      return 'unknown';
    }
  }

  #write(part: Buffer, done: () => void): void {
    const send = () => {
      this.#held = undefined;
      const { clock } = this.#parts;
      this.#writtenAtMs = clock.now();
      // What a cut has swallowed is not sent again: it may have arrived.
      this.#line?.input.write(part, () => done());
    };
    if (this.#line?.input.writable) send();
    else this.#held = send;
  }

  #finish(exit: ExitStatus): void {
    if (this.hasExited) return;
    this.#over.abort();
    this.#parts.outputs.stdout.end();
    this.#parts.outputs.stderr.end();
    this.#exited.resolve(exit);
  }

  async #drain(): Promise<HostedEnd> {
    const exit = await this.exited;
    await drainOutputs(this.#parts.clock, this.#readings);
    const { isOutOfMemory, memoryLimitBytes: limitBytes } = this.#state ?? {};
    if (this.#ending) return exit;
    if (!isOutOfMemory) return (await this.#endByEngine.tells()) ? { ...exit, isEngineLost: true } : exit;
    return { ...exit, outOfMemory: { ...(limitBytes !== undefined && { limitBytes }) } };
  }
}
