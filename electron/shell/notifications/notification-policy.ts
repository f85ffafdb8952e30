import type { PanelEvent } from '../../../shared/domain.ts';
import { OpenEpisodes, type NotableEvent, type NotificationSettings } from './notable-events.ts';
import {
  describeNews,
  type Aftermath,
  type NotificationText,
  type ServerNews,
} from './notification-words.ts';
import { MINUTE_MS } from '../../../shared/units.ts';

/** Milliseconds for which an event waits, so that it can be combined with others in one notification. */
export const GROUP_MS = 3000;
/** Milliseconds between two notifications about the same server; events in between wait and are counted. */
export const SERVER_PAUSE_MS = 60_000;
export const MAX_PER_MINUTE = 4;
/** Milliseconds after a user's command without notifications about the server, because the user presumably looks at it. */
export const BY_HAND_MS = 10_000;

export interface PanelNotification extends NotificationText {
  /** The server that the notification is about; undefined if there are several. */
  readonly server: string | undefined;
  /** Number of events that the notification reports. */
  readonly count: number;
}

const aftermathOf: { readonly [K in PanelEvent['kind']]?: Aftermath } = {
  'restart-scheduled': 'restarting',
  restarted: 'restarted',
  recovered: 'recovered',
};

interface Waiting extends ServerNews {
  readonly dueMs: number;
}

/**
 * Decides which notifications are shown and when. The caller passes the time in monotonic milliseconds, and calls `due` at the
 * time `nextMs`. Every accepted event appears in a notification, either by itself or as part of a count, unless the user gives
 * its server a command before that.
 */
export class NotificationPolicy {
  readonly #episodes = new OpenEpisodes();
  /** News that has not been shown yet, by server, in the order of each server's first event. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #toldMs = new Map<string, number>();
  readonly #byHandMs = new Map<string, number>();
  /** Times of the last `MAX_PER_MINUTE` notifications, oldest first. */
  #shownMs: readonly number[] = [];

  /** Accepts an event. True if it will be shown. */
  take(event: PanelEvent, settings: NotificationSettings, nowMs: number): boolean {
    // If only one replica (an additional process of a server for one client) has ended, only the window shows it, because the
    // server's own process still runs.
    if (event.detail.instance !== undefined) return false;
    const notable = this.#episodes.filter(event, settings);
    this.#noteAftermath(event);
    if (notable === undefined || this.#isInHand(notable.server, nowMs)) return false;
    this.#wait(notable, nowMs);
    return true;
  }

  /** Records that the user started, stopped or changed the server, so that waiting news about it is dropped. */
  byHand(server: string, nowMs: number): void {
    this.#episodes.forget(server);
    this.#waiting.delete(server);
    for (const [name, atMs] of this.#byHandMs) if (nowMs - atMs >= BY_HAND_MS) this.#byHandMs.delete(name);
    this.#byHandMs.set(server, nowMs);
  }

  /** Time of the next notification; undefined if no news is waiting. */
  get nextMs(): number | undefined {
    if (this.#waiting.size === 0) return undefined;
    return Math.max(this.#freeMs, Math.min(...[...this.#waiting.values()].map(({ dueMs }) => dueMs)));
  }

  /** Returns the notification to show now, once; undefined if none is due. */
  due(nowMs: number): PanelNotification | undefined {
    const { nextMs } = this;
    if (nextMs === undefined || nextMs > nowMs) return undefined;
    const news = this.#collect(nowMs);
    this.#shownMs = [...this.#shownMs, nowMs].slice(-MAX_PER_MINUTE);
    return {
      ...describeNews(news),
      server: news.length === 1 ? news[0]?.latest.server : undefined,
      count: news.reduce((sum, { count }) => sum + count, 0),
    };
  }

  /** Monotonic time from which another notification may be shown. */
  get #freeMs(): number {
    const [oldest] = this.#shownMs;
    return oldest === undefined || this.#shownMs.length < MAX_PER_MINUTE ? 0 : oldest + MINUTE_MS;
  }

  /** Adds what happens to a server after its stall to the news of that stall, if that news is still waiting. */
  #noteAftermath({ kind, server }: PanelEvent): void {
    const aftermath = aftermathOf[kind];
    const waiting = server === null ? undefined : this.#waiting.get(server);
    if (waiting !== undefined && aftermath !== undefined)
      this.#waiting.set(waiting.latest.server, { ...waiting, aftermath });
  }

  #isInHand(server: string, nowMs: number): boolean {
    const atMs = this.#byHandMs.get(server);
    return atMs !== undefined && nowMs - atMs < BY_HAND_MS;
  }

  #wait(latest: NotableEvent, nowMs: number): void {
    const { server } = latest;
    const before = this.#waiting.get(server);
    const dueMs = before?.dueMs ?? Math.max(nowMs + GROUP_MS, this.#pauseEndMs(server));
    this.#waiting.set(server, { latest, count: (before?.count ?? 0) + 1, dueMs });
  }

  /**
   * Takes all waiting news of servers whose pause since their last notification has ended. News that is not due yet is also
   * taken, because it happened shortly before or after the news that is due.
   */
  #collect(nowMs: number): ServerNews[] {
    const ready = [...this.#waiting].filter(([server]) => this.#pauseEndMs(server) <= nowMs);
    for (const [server, atMs] of this.#toldMs)
      if (nowMs - atMs >= SERVER_PAUSE_MS) this.#toldMs.delete(server);
    return ready.map(([server, { aftermath, latest, count }]) => {
      this.#waiting.delete(server);
      this.#toldMs.set(server, nowMs);
      return { aftermath, latest, count };
    });
  }

  #pauseEndMs(server: string): number {
    return (this.#toldMs.get(server) ?? -Infinity) + SERVER_PAUSE_MS;
  }
}
