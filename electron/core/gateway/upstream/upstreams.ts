import type { OfferList } from '../../../../shared/domain.ts';
import { defaultPanelSettings } from '../../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { ownSlot, type Slot } from '../../sessions/session-policy.ts';
import { changedListOf } from './fan-out.ts';
import { AskRouter, type AskRefusal } from './server-requests.ts';
import { Upstream, type SessionWishes, type UpstreamOptions, type UpstreamSession } from './upstream.ts';

interface UpstreamsOptions extends Pick<UpstreamOptions, 'clock' | 'onAnswerOrder'> {
  readonly servers: { find(name: string): { readonly config: ServerConfig } | undefined };
  readonly catalogue: UpstreamOptions['catalogue'] & {
    onChanged(listener: (change: { readonly key: string; readonly list: OfferList }) => void): () => void;
  };
  /** Prefix of the ids of server requests to clients; new for each app run. */
  readonly askIdPrefix: string;
  /** Called when a server request could not be sent to any client. */
  readonly onAskRefused: (refusal: AskRefusal) => void;
}

/** The upstreams (a server and slot each) that client sessions use now. */
export class Upstreams {
  readonly asks: AskRouter;
  readonly #options: UpstreamsOptions;
  /** Upstreams by server, then by the name of the slot. */
  readonly #upstreams = new Map<string, Map<string, Upstream>>();
  readonly #unsubscribe: () => void;

  constructor(options: UpstreamsOptions) {
    const { clock, askIdPrefix, onAskRefused, catalogue } = options;
    this.#options = options;
    this.asks = new AskRouter({ clock, idPrefix: askIdPrefix, onRefused: onAskRefused });
    this.#unsubscribe = catalogue.onChanged(({ key, list }) => this.#listChanged(key, list));
  }

  /** Adds the session to the upstream of its server and slot. @param wishes log level and subscriptions at its former slot */
  join(session: UpstreamSession, slot: Slot, wishes?: SessionWishes): Upstream {
    const { server } = session.facts;
    const slots = this.#upstreams.get(server) ?? new Map<string, Upstream>();
    this.#upstreams.set(server, slots);
    const upstream = slots.get(slot.name) ?? this.#open(server, slot);
    slots.set(slot.name, upstream);
    upstream.join(session, wishes);
    return upstream;
  }

  /** Removes the session from the upstream, and drops an unused upstream. Returns the session's log level and subscriptions. */
  leave(session: UpstreamSession, upstream: Upstream): SessionWishes {
    const wishes = upstream.leave(session);
    this.#forgetUnused(session.facts.server, upstream);
    return wishes;
  }

  /**
   * Has a session reconnect for existing subscriptions once their server has started, no matter who started it. Only the main
   * instance is meant; replicas are started by their own clients.
   */
  serverUp(server: string): void {
    this.#upstreams.get(server)?.get(ownSlot.name)?.reopen();
  }

  dispose(): void {
    this.#unsubscribe();
    for (const upstream of this.#all()) upstream.dispose();
    this.#upstreams.clear();
    this.asks.dispose();
  }

  #forgetUnused(server: string, upstream: Upstream): void {
    const slots = this.#upstreams.get(server);
    if (!upstream.isUnused || slots?.get(upstream.slot.name) !== upstream) return;
    slots.delete(upstream.slot.name);
    if (slots.size === 0) this.#upstreams.delete(server);
  }

  #open(server: string, slot: Slot): Upstream {
    const { servers } = this.#options;
    const limits = () => (servers.find(server)?.config.panel ?? defaultPanelSettings).calls;
    const onDisconnected = (upstream: Upstream) => this.#forgetUnused(server, upstream);
    return new Upstream({ ...this.#options, server, slot, asks: this.asks, limits, onDisconnected });
  }

  #listChanged(key: string, list: OfferList): void {
    for (const upstream of this.#all())
      if (upstream.catalogueKey === key) upstream.listChanged(changedListOf(list));
  }

  #all(): readonly Upstream[] {
    return [...this.#upstreams.values()].flatMap((slots) => [...slots.values()]);
  }
}
