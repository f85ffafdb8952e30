import { PanelError } from '../../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { serverKey } from '../../config/server-key.ts';
import type { LeaseUse } from '../../sessions/lease-holder.ts';
import { modeOfSlot, ownSlot, type Slot } from '../../sessions/slot.ts';
import type { Greeting } from '../../mcp/handshake.ts';
import { catalogueKey, type CatalogueList } from '../catalogue/catalogue.ts';
import type { SessionFacts } from '../types.ts';
import type { SessionChannel } from './callers-in-flight.ts';
import { ClientHold } from './client-hold.ts';
import { changedListOf, type ChangedList } from './fan-out.ts';
import type { Guest, GuestWishes, Place } from './place.ts';
import type { Places } from './places.ts';
import type { Turn } from './client-call.ts';
import type { Lease } from '../../sessions/lease.ts';
import type { GatewayServer, RelayOptions } from './relay-options.ts';
import type { EndTurn } from './turn-line.ts';

export interface SessionWayOptions extends RelayOptions {
  readonly session: SessionChannel;
  readonly places: Places;
  /** As `ClientHoldOptions.use`. */
  readonly use: () => LeaseUse;
}

/** The way of one client session to its server: its lease, its place among those who share the slot, and what is known without it. */
export class SessionWay {
  readonly #options: SessionWayOptions;
  readonly #facts: SessionFacts;
  readonly #hold: ClientHold;
  readonly #guest: Guest;
  #place: Place | undefined;

  constructor(options: SessionWayOptions) {
    const { session } = options;
    this.#options = options;
    this.#facts = session.facts;
    this.#hold = new ClientHold({
      ...options,
      facts: session.facts,
      onSlot: (slot) => this.#moveTo(slot),
      onLink: (link, config) => this.#place?.attach(link, this.#catalogueKey(config)),
    });
    this.#guest = {
      channel: session,
      onLink: () => this.#hold.tryCurrent(),
      comeBack: () => this.#comeBack(),
    };
  }

  /** Undefined once it has left the configuration. */
  get server(): GatewayServer | undefined {
    return this.#options.servers.find(this.#facts.server);
  }

  /** As `ClientHold.current`. */
  current(): Lease | undefined {
    return this.#hold.current();
  }

  /** As `ClientHold.acquire`. */
  acquire(signal: AbortSignal): Promise<Lease> {
    return this.#hold.acquire(signal);
  }

  /** Whether a process is being started for it: the server's own run, or one of its own beside it. */
  isStarting(): boolean {
    const state = this.server?.state;
    const waitsForOwnRun = this.#place === undefined || this.#place.slot.name === ownSlot.name;
    return state === 'starting' || (!waitsForOwnRun && (state === 'running' || state === 'suspect'));
  }

  /** What a call of a tool needs before it may be written. @throws as `place` */
  turn(signal: AbortSignal): Turn {
    const config = this.server?.config;
    if (!config || !this.#options.answersInTurn(config)) return undefined;
    return this.place().line.tryEnter(this.#facts.nonce) ?? this.#enterLine(signal);
  }

  /** Whether the call that it would wait for is another client's. */
  isBehindOther(): boolean {
    return this.#place?.line.isHeldByOther(this.#facts.nonce) === true;
  }

  /** @throws PanelError SERVER_UNKNOWN, SESSION_CLOSED */
  place(): Place {
    this.#hold.settleSlot();
    if (!this.#place) throw new PanelError('SESSION_CLOSED', 'The session of this client is over.');
    return this.#place;
  }

  /** Whether other sessions use the same connection. @throws as `place` */
  isShared(): boolean {
    return modeOfSlot(this.place().slot) === 'shared';
  }

  /** What the server says of itself, where no start is needed to know. @throws as `place` */
  async greeting(): Promise<Greeting | undefined> {
    const live = this.#hold.current()?.connection.greeting;
    if (live || this.#isAnswering()) return live;
    return this.#known((key) => this.#options.catalogue.greeting(key));
  }

  /** A list as it was last seen, of a server that does not answer now. @throws as `place` */
  async knownList(method: string): Promise<CatalogueList | undefined> {
    if (this.#isAnswering()) return undefined;
    return this.#known((key) => this.#options.catalogue.list(key, method));
  }

  /** The lease is given back, while the session stays among those who use its slot. */
  rest(): void {
    this.#hold.rest();
  }

  /** A request came, after a rest or not. */
  wake(): void {
    this.#hold.wake();
  }

  /** Lists that are others than they were then; a promise, which never rejects, where the catalogue is to be read first. @throws PanelError SESSION_CLOSED */
  listsChangedSince(epochMs: number): readonly ChangedList[] | Promise<readonly ChangedList[]> {
    const { server } = this;
    if (!server) return [];
    this.#hold.settleSlot();
    const { catalogue } = this.#options;
    const key = this.#catalogueKey(server.config);
    const changed = () => [...new Set((catalogue.changedSince(key, epochMs) ?? []).map(changedListOf))];
    return catalogue.changedSince(key, epochMs) ? changed() : catalogue.load(key).then(changed);
  }

  /** Idempotent. Calls under way go on. */
  end(): void {
    this.#leave();
    this.#hold.release();
  }

  /** The session may move to another place while it waits. */
  async #enterLine(signal: AbortSignal): Promise<EndTurn> {
    for (;;) {
      const place = this.place();
      const leave = await place.line.enter(this.#facts.nonce, signal);
      if (place === this.#place) return leave;
      leave(false);
    }
  }

  /** Whether a question reaches it without a start. */
  #isAnswering(): boolean {
    const isOwn = this.place().slot.name === ownSlot.name;
    if (!isOwn && !this.#hold.current()) return false;
    return this.server?.state === 'running';
  }

  async #known<T>(find: (key: string) => T | undefined): Promise<T | undefined> {
    const { server } = this;
    if (!server) return undefined;
    const key = this.#catalogueKey(server.config);
    await this.#options.catalogue.load(key);
    return find(key);
  }

  /** A server may offer other things to clients that can be asked less than the panel declares for its own run. */
  #catalogueKey(config: ServerConfig): string {
    const key = serverKey(config);
    return this.#place?.slot.clientCapabilities === undefined
      ? catalogueKey(key)
      : catalogueKey(key, this.#facts.capabilities);
  }

  /** Who rests takes no lease for the sake of others, because it might be of a process that nobody calls. */
  #comeBack(): boolean {
    if (this.#hold.isResting) return false;
    void this.#hold.acquire(new AbortController().signal, false).catch(() => undefined);
    return true;
  }

  #moveTo(slot: Slot): void {
    const wishes = this.#leave();
    this.#place = this.#options.places.join(this.#guest, slot, wishes);
  }

  #leave(): GuestWishes | undefined {
    const place = this.#place;
    this.#place = undefined;
    return place && this.#options.places.leave(this.#guest, place);
  }
}
