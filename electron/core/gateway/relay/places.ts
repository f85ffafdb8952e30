import type { OfferList } from '../../../../shared/domain.ts';
import { defaultPanelSettings } from '../../../../shared/panel-settings.ts';
import type { Slot } from '../../sessions/slot.ts';
import { AskRouter } from './ask-router.ts';
import { changedListOf } from './fan-out.ts';
import { Place, type Guest, type GuestWishes } from './place.ts';
import type { RelayOptions } from './relay-options.ts';

/** The slots of servers that sessions of clients use now. */
export class Places {
  readonly asks: AskRouter;
  readonly #options: RelayOptions;
  /** By server, then by the name of the slot. */
  readonly #places = new Map<string, Map<string, Place>>();
  readonly #undo: () => void;

  constructor(options: RelayOptions) {
    const { clock, askIdPrefix, onAskRefused, catalogue } = options;
    this.#options = options;
    this.asks = new AskRouter({ clock, idPrefix: askIdPrefix, onRefused: onAskRefused });
    this.#undo = catalogue.onChanged(({ key, list }) => this.#listChanged(key, list));
  }

  /** The place of the guest's server and that slot. @param wishes as `Place.join` */
  join(guest: Guest, slot: Slot, wishes?: GuestWishes): Place {
    const { server } = guest.channel.facts;
    const places = this.#places.get(server) ?? new Map<string, Place>();
    this.#places.set(server, places);
    const place = places.get(slot.name) ?? this.#open(server, slot);
    places.set(slot.name, place);
    place.join(guest, wishes);
    return place;
  }

  /** As `Place.leave`. */
  leave({ channel: { facts } }: Guest, place: Place): GuestWishes {
    const wishes = place.leave(facts.nonce);
    this.#forgetUnused(facts.server, place);
    return wishes;
  }

  dispose(): void {
    this.#undo();
    for (const place of this.#all()) place.dispose();
    this.#places.clear();
    this.asks.dispose();
  }

  /** While its link lasts a place stays, because the server may still speak of calls that those who left gave up. */
  #forgetUnused(server: string, place: Place): void {
    const places = this.#places.get(server);
    if (!place.isEmpty || place.isConnected || places?.get(place.slot.name) !== place) return;
    places.delete(place.slot.name);
    if (places.size === 0) this.#places.delete(server);
  }

  #open(server: string, slot: Slot): Place {
    const { servers } = this.#options;
    const settings = () => servers.find(server)?.config.panel ?? defaultPanelSettings;
    const onDisconnected = (place: Place) => this.#forgetUnused(server, place);
    const limits = () => settings().calls;
    return new Place({ ...this.#options, server, slot, asks: this.asks, limits, onDisconnected });
  }

  #listChanged(key: string, list: OfferList): void {
    for (const place of this.#all()) if (place.catalogueKey === key) place.listChanged(changedListOf(list));
  }

  #all(): readonly Place[] {
    return [...this.#places.values()].flatMap((places) => [...places.values()]);
  }
}
