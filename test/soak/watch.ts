import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf } from '../e2e/support/processes.ts';
import { memoryBytes } from '../support/proc.ts';
import type { SoakPanel } from './panel.ts';
import type { ProcessSample } from './record.ts';

const EVERY_MS = 5000;
/** A look at the heap collects garbage, so it is rare. */
const INNER_EVERY = 6;

/** Looks at the panel's own processes until it is stopped. Linux only. */
export class ProcessWatch {
  readonly samples: ProcessSample[] = [];
  readonly #stop = new AbortController();
  readonly #panel: SoakPanel;
  readonly #now: () => number;
  #loop: Promise<void> = Promise.resolve();

  constructor(panel: SoakPanel, now: () => number) {
    this.#panel = panel;
    this.#now = now;
  }

  /** @param isAway the panel is being killed or stopped, and cannot be asked */
  start(isAway: () => boolean): void {
    this.#loop = this.#look(isAway);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #look(isAway: () => boolean): Promise<void> {
    for (let round = 0; !this.#stop.signal.aborted; round += 1) {
      await sleep(EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      if (isAway()) continue;
      const { pid } = this.#panel;
      const inner = round % INNER_EVERY === 0 ? await this.#panel.innerFigures() : undefined;
      this.#keep('main', pid, inner);
      // Chromium's helpers say in their command line what they are.
      for (const child of descendantsOf(pid)) {
        const type = /--type=([a-z-]+)/.exec(child.command)?.[1];
        if (type !== undefined && type !== 'zygote') this.#keep(type, child.pid);
      }
    }
  }

  #keep(role: string, pid: number, inner: { heapBytes?: number; timers?: number } = {}): void {
    const rssBytes = memoryBytes(pid, 'VmRSS');
    if (Number.isNaN(rssBytes)) return; // The process has ended.
    const descriptors = descriptorsOf(pid);
    this.samples.push({
      at: this.#now(),
      role,
      pid,
      rssBytes,
      ...(descriptors !== undefined && { descriptors }),
      ...inner,
    });
  }
}

function descriptorsOf(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined; // The process has ended, or hides them.
  }
}
