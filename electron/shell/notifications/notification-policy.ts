import type { PanelEvent } from '../../../shared/domain.ts';
import { OpenEpisodes, type NotableEvent, type NotificationSettings } from './notable-events.ts';
import {
  describeNews,
  type Aftermath,
  type NotificationText,
  type ServerNews,
} from './notification-words.ts';

/** What happens within this time is told together. */
export const GROUP_MS = 3000;
/** One server is told of at most once within this time; what comes meanwhile waits and is counted. */
export const SERVER_PAUSE_MS = 60_000;
export const MAX_PER_MINUTE = 4;
/** A person who gave a command looks at the server for this long, so a notification would tell them nothing. */
export const BY_HAND_MS = 10_000;

const MINUTE_MS = 60_000;

export interface PanelNotification extends NotificationText {
  /** The one server that it is about; undefined when there are several. */
  readonly server: string | undefined;
  /** The events that it stands for. */
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
 * Decides what is told when. Times are monotonic milliseconds and come from the caller, which asks again at `nextMs`.
 * Every event that is taken is told sooner or later, in a notification of its own or counted in one, unless a person
 * takes its server in hand before.
 */
export class NotificationPolicy {
  readonly #episodes = new OpenEpisodes();
  /** News not shown yet, by server, in the order of the first event. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #toldMs = new Map<string, number>();
  readonly #byHandMs = new Map<string, number>();
  /** The last `MAX_PER_MINUTE`, oldest first. */
  #shownMs: readonly number[] = [];

  /** True when the event will be told. */
  take(event: PanelEvent, settings: NotificationSettings, nowMs: number): boolean {
    // The server itself runs on, so the end of a process beside it is told in the window alone.
    if (event.detail.instance !== undefined) return false;
    const notable = this.#episodes.filter(event, settings);
    this.#noteAftermath(event);
    if (notable === undefined || this.#isInHand(notable.server, nowMs)) return false;
    this.#wait(notable, nowMs);
    return true;
  }

  /** A person started, stopped or changed the server: nothing is told that they have just done, or are looking at. */
  byHand(server: string, nowMs: number): void {
    this.#episodes.forget(server);
    this.#waiting.delete(server);
    for (const [name, atMs] of this.#byHandMs) if (nowMs - atMs >= BY_HAND_MS) this.#byHandMs.delete(name);
    this.#byHandMs.set(server, nowMs);
  }

  /** The time when something will be due; undefined while nothing waits. */
  get nextMs(): number | undefined {
    if (this.#waiting.size === 0) return undefined;
    return Math.max(this.#freeMs, Math.min(...[...this.#waiting.values()].map(({ dueMs }) => dueMs)));
  }

  /** What is to be shown now, once. */
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

  /** The time from which one more may be shown. */
  get #freeMs(): number {
    const [oldest] = this.#shownMs;
    return oldest === undefined || this.#shownMs.length < MAX_PER_MINUTE ? 0 : oldest + MINUTE_MS;
  }

  /** What happens to a server between its stall and the moment when that is told belongs into the same words. */
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

  /** All that may be told now, also what has not waited its time: it happened close to what is due. */
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
