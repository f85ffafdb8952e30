import { setTimeout as sleep } from 'node:timers/promises';
import type { PanelEvent } from '../../shared/domain.ts';
import type { Ended } from '../fixtures/gateways/bare-client.ts';
import { descendantsOf } from '../e2e/support/processes.ts';
import type { SoakConfig } from './config.ts';
import type { SoakServer } from './fleet.ts';
import type { SoakPanel } from './panel.ts';
import type { SeededRandom } from './random.ts';
import type { Deed, StateLine } from './record.ts';
import { isAlive } from '../support/proc.ts';

const SETTLED_MS = 3000;
const POLL_MS = 100;

export interface WorldParts {
  readonly panel: SoakPanel;
  readonly servers: readonly SoakServer[];
  readonly config: SoakConfig;
  readonly random: SeededRandom;
  readonly now: () => number;
  /** A call by a client that is not part of the traffic. */
  readonly callOnce: (server: string, tool: string, args: object) => Promise<Ended>;
  /** The newest events on disk. */
  readonly newestEvents: () => Promise<readonly PanelEvent[]>;
  /** Living processes of servers, of whichever life of the panel. */
  readonly serverPids: () => readonly number[];
  readonly problem: (sentence: string) => void;
  /** The panel runs again, with nothing in its memory. */
  readonly onPanelStarted: () => void;
}

/** What deeds see and change: the panel, its servers as the panel tells of them, and the record of deeds. */
export class World {
  readonly parts: WorldParts;
  readonly deeds: Deed[] = [];
  readonly #latest = new Map<string, StateLine>();

  constructor(parts: WorldParts) {
    this.parts = parts;
  }

  take(line: StateLine): void {
    this.#latest.set(line.server, line);
  }

  stateOf(server: string): StateLine | undefined {
    return this.#latest.get(server);
  }

  /** The panel itself is being killed or paused, or comes back. */
  get isPanelBusy(): boolean {
    return this.deeds.some((deed) => deed.server === null && deed.until === undefined);
  }

  get openDeeds(): readonly Deed[] {
    return this.deeds.filter((deed) => deed.until === undefined);
  }

  /** It has been running for a while, and nobody does anything to it. */
  isQuiet({ name }: SoakServer): boolean {
    const line = this.#latest.get(name);
    const isSettled = line?.state === 'running' && this.parts.now() - line.at > SETTLED_MS;
    return isSettled && !this.openDeeds.some(({ server }) => server === name);
  }

  /** Whether it told of reaching a state since then. */
  async untilState(server: string, state: string, since: number, limitMs: number): Promise<boolean> {
    return this.until(() => {
      const line = this.#latest.get(server);
      return line !== undefined && line.state === state && line.at >= since;
    }, limitMs);
  }

  async until(condition: () => boolean, limitMs: number): Promise<boolean> {
    const startedAt = this.parts.now();
    while (!condition()) {
      if (this.parts.now() - startedAt > limitMs) return false;
      await sleep(POLL_MS);
    }
    return true;
  }

  /** The process that the panel started for a server, as its journal says. */
  async rootPid(server: string): Promise<number | undefined> {
    const events = await this.parts.newestEvents();
    const pid = events
      .filter((event) => event.kind === 'started' || event.kind === 'restarted')
      .findLast((event) => event.server === server)?.detail.pid;
    return pid !== undefined && isAlive(pid) ? pid : undefined;
  }

  /** The process of the server itself, which stands below its wrapper where it has one. */
  async serverPid(server: string): Promise<number | undefined> {
    const root = await this.rootPid(server);
    if (root === undefined) return undefined;
    const below = descendantsOf(root).find(
      ({ command }) => command.includes('server.mjs') && !command.startsWith('sh'),
    );
    return below?.pid ?? root;
  }
}
