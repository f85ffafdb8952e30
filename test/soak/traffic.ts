import { setTimeout as sleep } from 'node:timers/promises';
import { BareClient } from '../fixtures/gateways/bare-client.ts';
import type { SeededRandom } from './random.ts';
import type { CallRecord } from './record.ts';

const CALL_DEADLINE_MS = 90_000;
const THINK_MS = [700, 4000] as const;
const RETRY_MS = 1000;
/**
 * The panel keeps the last thousand messages of each server. The first calls after each of its starts fill that, so that what
 * its memory grows by afterwards is kept by mistake.
 */
const FILLING_CALLS = 1000;
const FILLING_PAUSE_MS = 60;

export interface TrafficOptions {
  readonly urlOf: (server: string) => string;
  readonly tokens: readonly string[];
  readonly servers: readonly string[];
  /** Sessions of each client, each with another server. */
  readonly sessionsEach: number;
  readonly random: SeededRandom;
  readonly now: () => number;
  readonly record: (call: CallRecord) => void;
}

interface Link {
  readonly client: BareClient;
  readonly clientName: string;
  readonly server: string;
  /** Calls that are still made to fill what the panel keeps. */
  toFill: number;
}

/** Clients that call tools one after the other, each in sessions that it keeps. */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #links: readonly Link[];
  readonly #stop = new AbortController();
  #loops: Promise<unknown> = Promise.resolve();

  constructor(options: TrafficOptions) {
    this.#options = options;
    const { tokens, servers, sessionsEach, urlOf } = options;
    this.#links = tokens.flatMap((token, who) =>
      Array.from({ length: sessionsEach }, (_, index) => {
        const server = servers[(who * sessionsEach + index) % servers.length]!;
        return {
          client: new BareClient({ url: urlOf(server), token: token }),
          clientName: `client ${who + 1}`,
          server,
          toFill: FILLING_CALLS,
        };
      }),
    );
  }

  start(): void {
    this.#loops = Promise.all(this.#links.map((link) => this.#loop(link)));
  }

  /** The panel has been started anew: what it keeps is filled again. */
  fill(): void {
    for (const link of this.#links) link.toFill = FILLING_CALLS;
  }

  /** Resolves when the calls under way are over. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loops;
  }

  /** One more call in each session, when all is calm: each of them has to be answered. */
  async callAll(): Promise<void> {
    await Promise.all(this.#links.map((link) => this.#call(link, 'echo')));
  }

  dispose(): void {
    for (const { client } of this.#links) client.dispose();
  }

  async #loop(link: Link): Promise<void> {
    const { random } = this.#options;
    while (!this.#stop.signal.aborted) {
      if (link.client.hasSession) {
        await this.#call(link, random.weighted(link.toFill > 0 ? FILLING_TOOLS : TOOLS)!.name);
        link.toFill -= 1;
      } else await this.#open(link);
      const usualMs = link.toFill > 0 ? FILLING_PAUSE_MS : random.between(...THINK_MS);
      const pauseMs = link.client.hasSession ? usualMs : RETRY_MS;
      await sleep(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #open(link: Link): Promise<void> {
    const startedAt = this.#options.now();
    const ended = await link.client.open(CALL_DEADLINE_MS);
    this.#keep(link, 'initialize', startedAt, ended);
  }

  async #call(link: Link, tool: string): Promise<void> {
    const { random, now } = this.#options;
    const startedAt = now();
    const text = `${link.clientName} ${startedAt} ${random.next()}`;
    const bytes = Math.round(random.between(1000, 200_000));
    const args =
      { echo: { text }, payload: { bytes }, sleep: { ms: Math.round(random.between(50, 900)) } }[tool] ?? {};
    const ended = await link.client.callTool(tool, args, CALL_DEADLINE_MS);
    const isWrong =
      ended.end === 'answered' &&
      ((tool === 'echo' && ended.text !== text) || (tool === 'payload' && ended.text?.length !== bytes));
    this.#keep(
      link,
      tool,
      startedAt,
      isWrong ? { end: 'wrong-answer', detail: ended.text?.slice(0, 100) ?? '' } : ended,
    );
    // A session that is gone is opened anew, as a client has to; that it had to be is in the record.
    if (ended.end === 'session-gone') await this.#open(link);
  }

  #keep(
    { clientName, server }: Link,
    tool: string,
    startedAt: number,
    { end, detail }: Pick<CallRecord, 'end' | 'detail'>,
  ): void {
    const endedAt = this.#options.now();
    this.#options.record({
      client: clientName,
      server,
      tool,
      startedAt,
      endedAt,
      end,
      ...(detail !== undefined && { detail }),
    });
  }
}

const TOOLS = [
  { name: 'echo', weight: 6 },
  { name: 'payload', weight: 2 },
  { name: 'sleep', weight: 2 },
] as const;

/** The same as later, because else longer messages take the place of these for as long; but none that only takes its time. */
const FILLING_TOOLS = TOOLS.filter(({ name }) => name !== 'sleep');
