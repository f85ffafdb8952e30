import { parsedJson } from '../../../../shared/parsed.ts';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Clock, Disposable } from '../../clock.ts';
import type { ContainerFigures, ContainerReading } from './container-reading.ts';
import { EngineRefusal } from './engine-api.ts';
import { inspectByApi } from './engine-client.ts';
import type { EngineLink } from './engine-link.ts';

const NS_PER_MS = 1e6;
const ANSWER_LIMIT_MS = 5000;
/** Milliseconds until a broken stream is opened again, because the engine may have restarted. */
const RETRY_MS = 5000;
/** Age in ms at which a reading no longer counts; docker sends one every second, podman one every five seconds. */
const STALE_MS = 7000;

const count = z.number().optional().catch(undefined);
const frameSchema = z.object({
  read: z.string(),
  memory_stats: z
    .object({ usage: count, stats: z.object({ inactive_file: count, total_inactive_file: count }).catch({}) })
    .partial()
    .catch({}),
  cpu_stats: z.object({
    // Frames of a container that has ended contain zeros.
    cpu_usage: z.object({ total_usage: z.number().positive() }),
    throttling_data: z.object({ throttled_periods: count }).catch({}),
  }),
  pids_stats: z.object({ current: count }).catch({}),
});

const topSchema = z.object({ Processes: z.array(z.unknown()) });

/**
 * Reads the figures of a container from the API of its engine, for engines that run on another kernel. One stream for each
 * container delivers a frame a second. The engine's events report a pause. The number of processes is requested only when the
 * number of threads has changed. An unreachable engine is retried every few seconds.
 */
export class EngineStats implements ContainerFigures {
  readonly #link: EngineLink;
  readonly #clock: Clock;
  readonly #path: string;
  #latest: { readonly reading: Omit<ContainerReading, 'isPaused'>; readonly takenAtMs: number } | undefined;
  #threads: number | undefined;
  #throttled: number | undefined;
  #processes = 1;
  /** Undefined until the engine reports it. */
  #isPaused: boolean | undefined;
  #isOutOfMemory = false;
  #retry: Disposable | undefined;
  #frames: IncomingMessage | undefined;
  #isDisposed = false;
  readonly #id: string;
  readonly #leave: () => void;

  constructor(link: EngineLink, id: string, clock: Clock) {
    this.#link = link;
    this.#id = id;
    this.#clock = clock;
    this.#path = `/containers/${id}`;
    const use = link.use();
    const unsubscribe = link.happened.subscribe((event) => {
      if (event.id !== id) return;
      if (event.action === 'oom') this.#isOutOfMemory = true;
      else if (event.action !== 'kill') this.#isPaused = event.action === 'pause';
    });
    this.#leave = () => {
      unsubscribe();
      use.dispose();
    };
    void this.#open();
  }

  read(): ContainerReading | undefined {
    const { reading, takenAtMs = -Infinity } = this.#latest ?? {};
    if (reading === undefined || this.#clock.now() - takenAtMs > STALE_MS) return undefined;
    return { ...reading, isPaused: this.#isPaused ?? false, isOutOfMemory: this.#isOutOfMemory };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#leave();
    this.#retry?.dispose();
    this.#frames?.destroy();
  }

  async #open(): Promise<void> {
    try {
      const frames = await this.#link.api.stream(`${this.#path}/stats?stream=1`);
      if (this.#isDisposed) return void frames.destroy();
      this.#frames = frames;
      frames.on('error', () => undefined);
      frames.once('close', () => this.#retryLater());
      // Pauses before the stream of events began are unknown, so the state is read.
      this.#isPaused = undefined;
      const state = await inspectByApi(this.#link.api, this.#id);
      this.#isPaused ??= state?.isPaused;
      createInterface(frames)
        .on('line', (line) => void this.#take(line))
        // Handles the error of the response, which is reported a second time.
        .on('error', () => undefined);
    } catch (error) {
      // A container that the engine does not know is not requested again.
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
    if (pids.current !== this.#threads) await this.#countProcesses(pids.current);
    const { usage, stats } = memory;
    const reclaimed = stats?.total_inactive_file ?? stats?.inactive_file ?? 0;
    const throttled = cpu.throttling_data.throttled_periods ?? 0;
    const reading = {
      atMs: Date.parse(at),
      ...(usage !== undefined && { memoryBytes: Math.max(0, usage - reclaimed) }),
      cpuTimeMs: cpu.cpu_usage.total_usage / NS_PER_MS,
      processCount: this.#processes,
      isAtWork: throttled > (this.#throttled ?? throttled),
    };
    this.#throttled = throttled;
    this.#latest = { reading, takenAtMs: this.#clock.now() };
  }

  async #countProcesses(threads: number | undefined): Promise<void> {
    // No change if the engine does not answer.
    const asked = this.#link.api.ask('GET', `${this.#path}/top`, { limitMs: ANSWER_LIMIT_MS });
    const top = topSchema.safeParse((await asked.catch(() => undefined))?.body);
    if (!top.success) return;
    this.#threads = threads;
    this.#processes = top.data.Processes.length;
  }
}
