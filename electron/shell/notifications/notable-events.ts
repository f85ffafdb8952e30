import type { PanelEvent } from '../../../shared/domain.ts';
import { HealedCrashes } from './healed-crashes.ts';

/** Which notifications a person wants. */
export interface NotificationSettings {
  readonly stall: boolean;
  readonly gaveUp: boolean;
  readonly limit: boolean;
  readonly restarts: boolean;
}

/** `kept-restarting` is no event of its own: it stands for many crashes of a day that healed. */
export type NotableKind = 'stalled' | 'gave-up' | 'limit-breached' | 'limit-recovered' | 'kept-restarting';

/** An event of a server that is worth a notification. */
export interface NotableEvent {
  readonly server: string;
  readonly kind: NotableKind;
  readonly detail: PanelEvent['detail'];
}

const settingOf: Readonly<Record<NotableKind, keyof NotificationSettings>> = {
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
    if (event.kind === 'config-changed') this.#configChanged(event.detail);
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

  #isNews({ kind, server, detail }: NotableEvent): boolean {
    const limit = `${server} ${String(detail['limit'])}`;
    switch (kind) {
      case 'stalled':
      case 'kept-restarting':
        return true;
      case 'gave-up':
        return addTo(this.#gaveUp, server);
      case 'limit-breached':
        this.#breached.add(limit);
        return true;
      case 'limit-recovered':
        return this.#breached.delete(limit);
    }
  }

  #configChanged(detail: PanelEvent['detail']): void {
    for (const field of ['added', 'removed', 'restarted'] as const) {
      const names = detail[field];
      if (!Array.isArray(names)) continue;
      for (const name of names.map(String)) {
        this.#gaveUp.delete(name);
        this.#healed.forget(name);
      }
    }
  }
}

/** The soft limit of CPU is left out: a few busy seconds are no news. */
function asNotable({ server, kind, detail }: PanelEvent): NotableEvent | undefined {
  if (server === null || !(kind in settingOf)) return undefined;
  return { server, kind: kind as NotableKind, detail };
}

/**
 * A server that was given up is tried again every few minutes, and given up again. Only a start that is not one of
 * that series, or the first restart of a new one, ends the episode.
 */
function beginsAnew({ kind, detail }: PanelEvent): boolean {
  if (kind === 'restart-scheduled') return detail['attempt'] === 1;
  return (kind === 'started' || kind === 'restarted') && detail['attempt'] === undefined;
}

function addTo(set: Set<string>, value: string): boolean {
  if (set.has(value)) return false;
  set.add(value);
  return true;
}
