import type { AlertRule } from '../../../shared/alerts.ts';
import type { EventDetail, PanelEvent, ToldEvent } from '../../../shared/events.ts';
import { appliesTo } from '../../core/alerts/log-patterns.ts';

/** Notifications that the user wants. */
export interface NotificationSettings {
  readonly stall: boolean;
  readonly gaveUp: boolean;
  readonly limit: boolean;
  readonly restarts: boolean;
  /** The user's alert rules. If one of them already reports an event on the desktop, the event gets no separate notification. */
  readonly rules?: readonly AlertRule[];
}

type NotableKind = 'stalled' | 'gave-up' | 'limit-breached' | 'limit-recovered';

/** News about a server. `kept-restarting` is no single event: the server crashed and recovered many times in a day. */
type News =
  ToldEvent<NotableKind> | { readonly kind: 'kept-restarting'; readonly detail: { restarts: number } };

/** Event of a server that is important enough for a notification. */
export type NotableEvent = News & { readonly server: string };

const settingOf: Readonly<Record<News['kind'], Exclude<keyof NotificationSettings, 'rules'>>> = {
  stalled: 'stall',
  'gave-up': 'gaveUp',
  'limit-breached': 'limit',
  'limit-recovered': 'limit',
  'kept-restarting': 'restarts',
};

/** For each kind of news, the condition of alert rules that report the same thing. */
const conditionOf: { readonly [K in News['kind']]?: AlertRule['what'] } = {
  'gave-up': 'failed',
  'limit-breached': 'limit',
  'limit-recovered': 'limit',
  'kept-restarting': 'unstable',
};

const isAlerted = ({ kind, server }: NotableEvent, rules: readonly AlertRule[]): boolean =>
  rules.some(
    (rule) => rule.what === conditionOf[kind] && rule.to.includes('desktop') && appliesTo(rule, server),
  );

/** Ongoing problems that the user was already notified of, so that they are not reported again. */
export class OpenEpisodes {
  readonly #gaveUp = new Set<string>();
  readonly #breached = new Set<string>();
  readonly #healed = new HealedCrashes();

  /**
   * Returns the event if it is news to the user and `settings` ask for a notification of it, otherwise undefined. Must be
   * called with every event, because the class also needs those that end a problem.
   */
  filter(event: PanelEvent, settings: NotificationSettings): NotableEvent | undefined {
    if (event.kind === 'config-changed' && event.server !== null)
      this.#configChanged(event.server, event.detail);
    const notable = asNotable(event) ?? this.#asDigest(event);
    if (notable === undefined) {
      if (event.server !== null && beginsAnew(event)) this.#gaveUp.delete(event.server);
      return undefined;
    }
    if (!settings[settingOf[notable.kind]] || isAlerted(notable, settings.rules ?? [])) return undefined;
    return this.#isNews(notable) ? notable : undefined;
  }

  /**
   * Returns `kept-restarting` news if this event completes the number of crashes that is reported, otherwise undefined. There
   * is no such news about a server that was given up, because the user already got a notification of that.
   */
  #asDigest(event: PanelEvent): NotableEvent | undefined {
    const { server } = event;
    const restarts = this.#healed.restartsToTell(event);
    if (server === null || restarts === undefined || this.#gaveUp.has(server)) return undefined;
    return { server, kind: 'kept-restarting', detail: { restarts } };
  }

  /** Forgets that the server was given up, after the user gave it a command. If it is given up again, that is news. */
  forget(server: string): void {
    this.#gaveUp.delete(server);
  }

  #isNews(news: NotableEvent): boolean {
    switch (news.kind) {
      case 'stalled':
      case 'kept-restarting':
        return true;
      case 'gave-up':
        return addTo(this.#gaveUp, news.server);
      case 'limit-breached':
        this.#breached.add(`${news.server} ${news.detail.limit}`);
        return true;
      case 'limit-recovered':
        return this.#breached.delete(`${news.server} ${news.detail.limit}`);
    }
  }

  #configChanged(server: string, { change, restarts }: EventDetail<'config-changed'>): void {
    if (change === 'edited' && restarts !== true) return;
    this.#gaveUp.delete(server);
    this.#healed.forget(server);
  }
}

/** Returns the event if it deserves a notification. High CPU does not, because a server may be busy for a few seconds. */
function asNotable(event: PanelEvent): NotableEvent | undefined {
  const { server } = event;
  if (server === null) return undefined;
  switch (event.kind) {
    case 'stalled':
    case 'gave-up':
    case 'limit-breached':
    case 'limit-recovered':
      return { ...event, server };
    default:
      return undefined;
  }
}

/**
 * True if the event ends the episode of a server that was given up. During an episode, the server is retried and given up again
 * every few minutes. The episode ends only with a start outside this series of retries (without `attempt`), or with the first
 * restart of a new series.
 */
function beginsAnew(event: PanelEvent): boolean {
  if (event.kind === 'restart-scheduled') return event.detail.attempt === 1;
  return (event.kind === 'started' || event.kind === 'restarted') && event.detail.attempt === undefined;
}

function addTo(set: Set<string>, value: string): boolean {
  if (set.has(value)) return false;
  set.add(value);
  return true;
}

/** Number of crashes with recovery per server and day that causes a notification. */
export const HEALED_A_DAY = 5;

interface Day {
  readonly name: string;
  readonly restarts: number;
}

/** Counts crashes from which a server recovered. One is not news, but many in a day are reported, once a day per server. */
class HealedCrashes {
  /** Cause of the pending restart, by server. */
  readonly #causes = new Map<string, string | undefined>();
  readonly #days = new Map<string, Day>();

  /** Returns the number of the day's restarts if it should be reported, otherwise undefined. Must be called with every event. */
  restartsToTell(event: PanelEvent): number | undefined {
    const { at, kind, server } = event;
    if (server === null) return undefined;
    if (event.kind === 'restart-scheduled') this.#causes.set(server, event.detail.cause);
    if (kind !== 'restarted' || this.#causes.get(server) !== 'crash') return undefined;
    this.#causes.delete(server);
    const restarts = this.#count(server, new Date(at).toDateString());
    return restarts === HEALED_A_DAY ? restarts : undefined;
  }

  forget(server: string): void {
    this.#causes.delete(server);
    this.#days.delete(server);
  }

  /** Increments the day's count. @param name local date, as a text */
  #count(server: string, name: string): number {
    const before = this.#days.get(server);
    const restarts = before?.name === name ? before.restarts + 1 : 1;
    this.#days.set(server, { name, restarts });
    return restarts;
  }
}
