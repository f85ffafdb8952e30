import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents } from '../../electron/core/journal/read-events.ts';
import type { PanelEvent } from '../../shared/domain.ts';

const EVERY_MS = 20_000;
const READ = 5000;
/** Those of many minutes, so that the start of a server that nobody harmed is among them. */
const NEWEST = 2000;

/** The panel's events as they are on disk, gathered before rotation takes them. */
export class JournalReader {
  readonly #path: string;
  readonly #found = new Map<string, PanelEvent>();
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(home: string) {
    this.#path = join(home, 'logs', 'events.jsonl');
  }

  start(): void {
    this.#loop = this.#gatherOften();
  }

  readonly newest = async (): Promise<readonly PanelEvent[]> => (await readEvents(this.#path, NEWEST)).events;

  /** All events so far, oldest first. */
  async stop(): Promise<readonly PanelEvent[]> {
    this.#stop.abort();
    await this.#loop;
    await this.#gather();
    return [...this.#found.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  async #gatherOften(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      await this.#gather();
    }
  }

  async #gather(): Promise<void> {
    for (const event of (await readEvents(this.#path, READ)).events) this.#found.set(event.id, event);
  }
}
