import { parsedJson } from '../../../../shared/parsed.ts';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { messageOf } from '../../../../shared/message-of.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { Emitter } from '../../emitter.ts';
import { delay, settlesWithin, unlessAborted } from '../../wait.ts';
import type { EngineApi } from './engine-api.ts';

export interface EngineLinkOptions {
  readonly name: string;
  readonly api: EngineApi;
  readonly clock: Clock;
  readonly events: EngineEvents;
  /** Called with the reason when the engine no longer answers. `onBack` gets the milliseconds until it answers again. */
  readonly onLost: (reason: string) => void;
  readonly onBack: (lostMs: number) => void;
}

interface ContainerEvent {
  readonly id: string;
  readonly action: (typeof ACTIONS)[number];
}

/** How a kind of engine shows that it is reachable, and how it reports what happens to its containers. */
interface EngineEvents {
  /** Path that every reachable engine answers with status 200. */
  readonly pingPath: string;
  /** Opens the stream of events. @param sinceS time from which past events are sent, by the engine's clock, in epoch seconds */
  open(api: EngineApi, sinceS: number | undefined): Promise<IncomingMessage>;
  /** Parses a line of the stream. Undefined for a line that does not concern a container. */
  read(line: string): (ContainerEvent & { readonly timeS?: number }) | undefined;
}

const ACTIONS = ['die', 'kill', 'oom', 'pause', 'unpause'] as const;
const eventSchema = z.object({
  Action: z.enum(ACTIONS),
  Actor: z.object({ ID: z.string() }),
  time: z.number(),
});

/**
 * Reads events in the format that docker and podman share. @param label `name=value` of the containers whose events are wanted
 */
export const dockerEvents = (label: string): EngineEvents => ({
  pingPath: '/_ping',
  open: (api, sinceS) => {
    const filters = JSON.stringify({ type: ['container'], event: ACTIONS, label: [label] });
    return api.stream(`/events?filters=${encodeURIComponent(filters)}&since=${sinceS}`);
  },
  read: (line) => {
    const { data } = eventSchema.safeParse(parsedJson(line));
    return data && { id: data.Actor.ID, action: data.Action, timeS: data.time };
  },
});

/** Milliseconds between two pings of the engine. They are necessary because a dead connection reports no error. */
const LOOK_MS = 10_000;
const LOOK_LIMIT_MS = 5000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** Milliseconds to keep connections after the last run on the engine has ended, because a restarted server needs them at once. */
const LINGER_MS = 30_000;

/** Connection to one engine, shared by all runs on it. If the engine is lost, it is lost for all runs until it answers again. */
export class EngineLink {
  readonly name: string;
  readonly api: EngineApi;
  /** Emits when the engine no longer answers, after all connections to it were cut. */
  readonly lost = new Emitter<void>();
  /** Emits what happens to containers. Events during a disconnection follow when it is over, possibly twice. */
  readonly happened = new Emitter<ContainerEvent>();
  readonly #options: EngineLinkOptions;
  #users = 0;
  #linger: Disposable | undefined;
  #watching: AbortController | undefined;
  #lostAtMs: number | undefined;
  #isReached = false;
  #version: string | undefined;
  /** Time up to which events have been received, by the engine's clock, in epoch seconds. */
  #heardUntilS: number | undefined;
  #reached = createDeferred<void>();

  constructor(options: EngineLinkOptions) {
    this.#options = options;
    this.name = options.name;
    this.api = options.api;
  }

  get version(): string | undefined {
    return this.#version;
  }

  use(): Disposable {
    this.#users += 1;
    this.#linger?.dispose();
    if (this.#watching === undefined) {
      this.#watching = new AbortController();
      void this.#watch(this.#watching.signal);
    }
    let isUsed = true;
    return {
      dispose: () => {
        if (!isUsed) return;
        isUsed = false;
        this.#users -= 1;
        if (this.#users === 0) this.#linger = this.#options.clock.setTimeout(() => this.close(), LINGER_MS);
      },
    };
  }

  /** Settles when the engine answers, or `signal` aborts. Never rejects. */
  async reached(signal: AbortSignal): Promise<void> {
    await unlessAborted(this.#reached.promise, signal);
  }

  get isLost(): boolean {
    return this.#lostAtMs !== undefined;
  }

  /** Checks whether the engine is lost now, or will be within the time limit. Never rejects. @returns whether it was lost */
  async isLostWithin(limitMs: number): Promise<boolean> {
    const signal = this.#watching?.signal;
    // The ping uses a new connection, because an engine that is shutting down accepts none. Over existing connections, it still
    // answers until it has ended its containers.
    const asked = this.api.stream(this.#options.events.pingPath);
    const problem = await asked.then((answer) => void answer.destroy(), messageOf);
    if (problem !== undefined && signal?.aborted === false) this.#lose(problem);
    if (this.isLost || limitMs === 0) return this.isLost;
    const lost = createDeferred<void>();
    const unsubscribe = this.lost.subscribe(() => lost.resolve());
    await settlesWithin(this.#options.clock, lost.promise, limitMs);
    unsubscribe();
    return this.isLost;
  }

  /** Ends all connections. They are opened again when the link is used again. */
  close(): void {
    this.#linger?.dispose();
    this.#watching?.abort();
    this.#watching = undefined;
    this.#isReached = false;
    this.#reached = createDeferred();
    this.#lostAtMs = undefined;
    this.#heardUntilS = undefined;
    this.api.cut();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const problem = await this.#problem();
      if (signal.aborted) return;
      if (problem === undefined) {
        failures = 0;
        this.#arrive();
        await this.#follow(signal).catch(() => undefined);
        await delay(this.#options.clock, FIRST_RETRY_MS, signal);
      } else {
        this.#lose(problem);
        await delay(this.#options.clock, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures), signal);
        failures += 1;
      }
    }
  }

  /** Follows the events until they end or the engine no longer answers. */
  async #follow(signal: AbortSignal): Promise<void> {
    const events = await this.#options.events.open(this.api, this.#heardUntilS);
    const ended = new Promise<void>((resolve) => void events.once('close', resolve));
    const leave = () => void events.destroy();
    signal.addEventListener('abort', leave, { once: true });
    events.on('error', () => undefined);
    createInterface(events)
      .on('line', (line) => this.#hear(line))
      .on('error', () => undefined);
    try {
      while (!(await settlesWithin(this.#options.clock, ended, LOOK_MS)))
        if (signal.aborted || (await this.#problem()) !== undefined) return;
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  #hear(line: string): void {
    const event = this.#options.events.read(line);
    if (event === undefined) return;
    this.#heardUntilS = event.timeS ?? this.#heardUntilS;
    this.happened.emit(event);
  }

  /** Returns the reason why the engine does not answer; undefined if it does. */
  async #problem(): Promise<string | undefined> {
    try {
      const { pingPath } = this.#options.events;
      const answer = await this.api.ask('GET', pingPath, { limitMs: LOOK_LIMIT_MS });
      const { status, words, atS, version } = answer;
      this.#heardUntilS ??= atS;
      this.#version = version ?? this.#version;
      return status === 200 ? undefined : words;
    } catch (error) {
      return messageOf(error);
    }
  }

  #arrive(): void {
    this.#isReached = true;
    this.#reached.resolve();
    if (this.#lostAtMs !== undefined) this.#options.onBack(this.#options.clock.now() - this.#lostAtMs);
    this.#lostAtMs = undefined;
  }

  #lose(reason: string): void {
    // If the engine was not reachable when a start began, the start itself reports that.
    if (!this.#isReached) return;
    this.#isReached = false;
    this.#reached = createDeferred();
    this.#lostAtMs = this.#options.clock.now();
    this.api.cut();
    this.lost.emit();
    this.#options.onLost(reason);
  }
}

/** Maximum time in ms for which an engine keeps answering during its shutdown, after it has ended its containers. */
const GOING_MS = 1500;

/** Detects whether an engine ended a container because the engine shuts down. Stops by itself once the container has ended. */
export class EndByEngine {
  readonly #link: EngineLink;
  #wasKilled = false;

  /** @param id returns the container's id, or undefined while it is unknown */
  constructor(link: EngineLink, id: () => string | undefined, exited: Promise<unknown>) {
    this.#link = link;
    const unsubscribe = link.happened.subscribe((event) => {
      if (event.action === 'kill' && event.id === id()) this.#wasKilled = true;
    });
    void exited.then(unsubscribe);
  }

  /** Returns whether the engine's shutdown ended the container. Waits only if the engine has sent it a signal. Never rejects. */
  tells(): Promise<boolean> {
    return this.#link.isLostWithin(this.#wasKilled ? GOING_MS : 0);
  }
}

/** Remembers on which engine each server last ran, so that the next start can wait if that engine is lost. */
export class LastEngines {
  readonly #links = new Map<string, EngineLink>();

  ran(server: string, link: EngineLink): void {
    this.#links.set(server, link);
  }

  /** Settles when the engine of a server is reachable again, or `signal` aborts. Undefined if the engine is not lost. */
  returnOf(server: string, signal: AbortSignal): Promise<void> | undefined {
    const link = this.#links.get(server);
    if (!link?.isLost) return undefined;
    const use = link.use();
    return link.reached(signal).finally(() => use.dispose());
  }
}
