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
/** Milliseconds until a broken stream of figures is opened again. The stream may have ended because the engine restarted. */
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
    // After a container has ended, its frames contain zeros; `positive` rejects them.
    cpu_usage: z.object({ total_usage: z.number().positive() }),
    throttling_data: z.object({ throttled_periods: count }).catch({}),
  }),
  pids_stats: z.object({ current: count }).catch({}),
});

const topSchema = z.object({ Processes: z.array(z.unknown()) });

/**
 * Reads the figures of a container (memory, CPU time, processes) from the API of its engine, for engines that run on another
 * kernel. Each container has one stream, which delivers a frame (a set of figures) every second. Whether the container is
 * paused comes from the engine's events. The number of processes is requested only when the number of threads has changed. If
 * the engine is not reachable, the stream is opened again after a few seconds.
 */
export class EngineStats implements ContainerFigures {
  readonly #link: EngineLink;
  readonly #clock: Clock;
  readonly #path: string;
  #latest: { readonly reading: Omit<ContainerReading, 'isPaused'>; readonly takenAtMs: number } | undefined;
  #threads: number | undefined;
  #throttled: number | undefined;
  #processes = 1;
  /** Undefined until the engine has reported whether the container is paused. */
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
      // The container may have been paused before the events were received, so its current state is requested.
      this.#isPaused = undefined;
      const state = await inspectByApi(this.#link.api, this.#id);
      this.#isPaused ??= state?.isPaused;
      createInterface(frames)
        .on('line', (line) => void this.#take(line))
        // The line reader of `node:readline` emits the error of the response again; without a listener, that error would be
        // thrown.
        .on('error', () => undefined);
    } catch (error) {
      // If the engine does not know the container, it is not asked again.
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
    // If the engine does not answer, the last known number of processes is kept.
    const asked = this.#link.api.ask('GET', `${this.#path}/top`, { limitMs: ANSWER_LIMIT_MS });
    const top = topSchema.safeParse((await asked.catch(() => undefined))?.body);
    if (!top.success) return;
    this.#threads = threads;
    this.#processes = top.data.Processes.length;
  }
}
