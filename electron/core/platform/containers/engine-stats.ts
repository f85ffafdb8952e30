import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Clock, Disposable } from '../../clock.ts';
import { containerStateOf } from './engine-client.ts';
import type { ContainerFigures, ContainerReading } from './container-reading.ts';
import type { EngineSocket } from './engine-socket.ts';

const NS_PER_MS = 1e6;
const ANSWER_TIMEOUT_MS = 5000;
/** Milliseconds until a stream that broke is opened again: the engine may have restarted. */
const RETRY_MS = 5000;
/** Age in ms at which a reading no longer counts; docker sends one a second, podman one in five. */
const STALE_MS = 7000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

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
 * container brings a frame a second; with each comes whether the container is paused, and, when its number of threads has
 * changed, how many processes it has. An engine that goes away is asked again every few seconds.
 */
export class EngineStats implements ContainerFigures {
  readonly #socket: EngineSocket;
  readonly #calls: EngineSocket;
  readonly #clock: Clock;
  readonly #path: string;
  #latest: { readonly reading: ContainerReading; readonly takenAtMs: number } | undefined;
  #threads: number | undefined;
  #throttled: number | undefined;
  #processes = 1;
  #retry: Disposable | undefined;
  #close: (() => void) | undefined;
  #isDisposed = false;

  /** @param calls place for short questions, if it is another one */
  constructor(socket: EngineSocket, id: string, clock: Clock, calls = socket) {
    this.#socket = socket;
    this.#calls = calls;
    this.#clock = clock;
    this.#path = `/containers/${id}`;
    this.#open();
  }

  read(): ContainerReading | undefined {
    const { reading, takenAtMs = -Infinity } = this.#latest ?? {};
    return this.#clock.now() - takenAtMs <= STALE_MS ? reading : undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#retry?.dispose();
    this.#close?.();
  }

  #open(): void {
    const call = request({ agent: false, ...this.#socket, path: `${this.#path}/stats?stream=1` });
    this.#close = () => call.destroy();
    call.on('error', () => undefined);
    call.once('close', () => this.#retryLater());
    call.once('response', (response) => {
      response.on('error', () => undefined);
      // A container that the engine does not know is not asked for again.
      if (response.statusCode !== 200) return this.dispose();
      createInterface(response)
        .on('line', (line) => void this.#take(line))
        // That of the response, which comes a second time.
        .on('error', () => undefined);
    });
    call.end();
  }

  #retryLater(): void {
    if (!this.#isDisposed) this.#retry = this.#clock.setTimeout(() => this.#open(), RETRY_MS);
  }

  async #take(line: string): Promise<void> {
    const read = frameSchema.safeParse(parsed(line));
    if (!read.success) return;
    const { memory_stats: memory, cpu_stats: cpu, pids_stats: pids, read: at } = read.data;
    const state = containerStateOf(await this.#ask('json').catch(() => undefined));
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

  async #countProcesses(threads: number | undefined): Promise<void> {
    const top = z
      .object({ Processes: z.array(z.unknown()) })
      .safeParse(await this.#ask('top').catch(() => undefined));
    if (!top.success) return;
    this.#threads = threads;
    this.#processes = top.data.Processes.length;
  }

  #ask(what: string): Promise<unknown> {
    const options = {
      agent: false,
      ...this.#calls,
      path: `${this.#path}/${what}`,
      timeout: ANSWER_TIMEOUT_MS,
    };
    return new Promise((resolve, reject) => {
      const call = request(options, (response) => {
        textOf(response).then((text) => resolve(parsed(text)), reject);
      });
      call.on('error', reject);
      call.on('timeout', () => call.destroy(new Error('the engine does not answer')));
      call.end();
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += String(part);
    if (text.length > MAX_ANSWER_BYTES) throw new Error('the answer of the engine is too long');
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
