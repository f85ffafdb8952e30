import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Clock, Disposable } from '../../clock.ts';
import { containerStateOf } from './engine-client.ts';
import type { ContainerFigures, ContainerReading } from './container-reading.ts';
import { EngineRefusal, parsedJson, type EngineApi } from './engine-api.ts';

const NS_PER_MS = 1e6;
const ANSWER_LIMIT_MS = 5000;
/** Milliseconds until a stream that broke is opened again: the engine may have restarted. */
const RETRY_MS = 5000;
/** Age in ms at which a reading no longer counts; docker sends one a second, podman one in five. */
const STALE_MS = 7000;
/** Milliseconds between two questions for the state of a container that uses no CPU. */
const STATE_MS = 5000;

const count = z.number().optional().catch(undefined);
const frameSchema = z.object({
  read: z.string(),
  memory_stats: z
    .object({ usage: count, stats: z.object({ inactive_file: count, total_inactive_file: count }).catch({}) })
    .partial()
    .catch({}),
  cpu_stats: z.object({
    cpu_usage: z.object({ total_usage: z.number() }),
    throttling_data: z.object({ throttled_periods: count }).catch({}),
  }),
  pids_stats: z.object({ current: count }).catch({}),
});

/**
 * Reads the figures of a container from the API of its engine, for engines whose kernel is not this one. One stream for each
 * container brings a frame a second; of one that uses no CPU the engine is asked whether it is
 * paused, and, when its number of threads has changed, how many processes it has. An engine that goes away is asked again every few seconds.
 */
export class EngineStats implements ContainerFigures {
  readonly #api: EngineApi;
  readonly #clock: Clock;
  readonly #path: string;
  #latest: { readonly reading: ContainerReading; readonly takenAtMs: number } | undefined;
  #threads: number | undefined;
  #throttled: number | undefined;
  #processes = 1;
  #cpuNs = Infinity;
  #askedAtMs = -Infinity;
  #state: { readonly isRunning: boolean; readonly isPaused: boolean } | undefined;
  #retry: Disposable | undefined;
  #frames: IncomingMessage | undefined;
  #isDisposed = false;

  constructor(api: EngineApi, id: string, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
    this.#path = `/containers/${id}`;
    void this.#open();
  }

  read(): ContainerReading | undefined {
    const { reading, takenAtMs = -Infinity } = this.#latest ?? {};
    return this.#clock.now() - takenAtMs <= STALE_MS ? reading : undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#retry?.dispose();
    this.#frames?.destroy();
  }

  async #open(): Promise<void> {
    try {
      const frames = await this.#api.stream(`${this.#path}/stats?stream=1`);
      if (this.#isDisposed) return void frames.destroy();
      this.#frames = frames;
      frames.on('error', () => undefined);
      frames.once('close', () => this.#retryLater());
      createInterface(frames)
        .on('line', (line) => void this.#take(line))
        // That of the response, which comes a second time.
        .on('error', () => undefined);
    } catch (error) {
      // A container that the engine does not know is not asked for again.
      if (error instanceof EngineRefusal) this.dispose();
      else this.#retryLater();
    }
  }

  #retryLater(): void {
    if (!this.#isDisposed) this.#retry = this.#clock.setTimeout(() => void this.#open(), RETRY_MS);
  }

  async #take(line: string): Promise<void> {
    const read = frameSchema.safeParse(parsedJson(line));
    if (!read.success) return;
    const { memory_stats: memory, cpu_stats: cpu, pids_stats: pids, read: at } = read.data;
    const state = await this.#stateAt(cpu.cpu_usage.total_usage);
    if (pids.current !== this.#threads) await this.#countProcesses(pids.current);
    const { usage, stats } = memory;
    const reclaimed = stats?.total_inactive_file ?? stats?.inactive_file ?? 0;
    const throttled = cpu.throttling_data.throttled_periods ?? 0;
    const reading = {
      atMs: Date.parse(at),
      ...(usage !== undefined && { memoryBytes: Math.max(0, usage - reclaimed) }),
      cpuTimeMs: cpu.cpu_usage.total_usage / NS_PER_MS,
      processCount: this.#processes,
      isPaused: state?.isPaused ?? false,
      isAtWork: throttled > (this.#throttled ?? throttled),
    };
    this.#throttled = throttled;
    // Frames of a container that has ended hold zeros.
    if (state?.isRunning !== false) this.#latest = { reading, takenAtMs: this.#clock.now() };
  }

  /** State of a container that has used so much CPU: one that has used more since the last frame runs, and nothing is asked. */
  async #stateAt(
    cpuNs: number,
  ): Promise<{ readonly isRunning: boolean; readonly isPaused: boolean } | undefined> {
    const hasWorked = cpuNs > this.#cpuNs;
    this.#cpuNs = cpuNs;
    if (hasWorked) {
      this.#askedAtMs = -Infinity;
      this.#state = { isRunning: true, isPaused: false };
    } else if (this.#clock.now() - this.#askedAtMs >= STATE_MS) {
      this.#askedAtMs = this.#clock.now();
      this.#state = containerStateOf(await this.#ask('json'));
    }
    return this.#state;
  }

  async #countProcesses(threads: number | undefined): Promise<void> {
    const top = z.object({ Processes: z.array(z.unknown()) }).safeParse(await this.#ask('top'));
    if (!top.success) return;
    this.#threads = threads;
    this.#processes = top.data.Processes.length;
  }

  /** Never rejects: an engine that does not answer tells nothing. */
  async #ask(what: string): Promise<unknown> {
    const asked = this.#api.ask('GET', `${this.#path}/${what}`, { limitMs: ANSWER_LIMIT_MS });
    return (await asked.catch(() => undefined))?.body;
  }
}
