import type { EventDetail, PanelEvent, ToldEvent } from '../../../shared/events.ts';
import { HealedCrashes } from './healed-crashes.ts';

/** Which notifications a person wants. */
export interface NotificationSettings {
  readonly stall: boolean;
  readonly gaveUp: boolean;
  readonly limit: boolean;
  readonly restarts: boolean;
}

type NotableKind = 'stalled' | 'gave-up' | 'limit-breached' | 'limit-recovered';

/** News of a server. `kept-restarting` is no event of its own: it stands for many crashes of a day that healed. */
type News =
  ToldEvent<NotableKind> | { readonly kind: 'kept-restarting'; readonly detail: { restarts: number } };

/** An event of a server that is worth a notification. */
export type NotableEvent = News & { readonly server: string };

const settingOf: Readonly<Record<News['kind'], keyof NotificationSettings>> = {
  stalled: 'stall',
  'gave-up': 'gaveUp',
  'limit-breached': 'limit',
  'limit-recovered': 'limit',
  'kept-restarting': 'restarts',
};

/** What has been told of and is not over: told again, it would be news no more. */
export class OpenEpisodes {
  readonly #gaveUp = new Set<string>();
  readonly #breached = new Set<string>();
  readonly #healed = new HealedCrashes();

  /** The event if it is news that `settings` ask for. Has to see every event. */
  filter(event: PanelEvent, settings: NotificationSettings): NotableEvent | undefined {
    if (event.kind === 'config-changed' && event.server !== null)
      this.#configChanged(event.server, event.detail);
    const notable = asNotable(event) ?? this.#asDigest(event);
    if (notable === undefined) {
      if (event.server !== null && beginsAnew(event)) this.#gaveUp.delete(event.server);
      return undefined;
    }
    return settings[settingOf[notable.kind]] && this.#isNews(notable) ? notable : undefined;
  }

  /** A server that was given up is told of already, however often it is tried again. */
  #asDigest(event: PanelEvent): NotableEvent | undefined {
    const { server } = event;
    const restarts = this.#healed.restartsToTell(event);
    if (server === null || restarts === undefined || this.#gaveUp.has(server)) return undefined;
    return { server, kind: 'kept-restarting', detail: { restarts } };
  }

  /** A person took the server in hand: whatever happens to it next is news. */
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

/** The soft limit of CPU is left out: a few busy seconds are no news. */
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
 * A server that was given up is tried again every few minutes, and given up again. Only a start that is not one of
 * that series, or the first restart of a new one, ends the episode.
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
