import type { OfferList } from '../../../../shared/domain.ts';
import type { Clock, Disposable } from '../../clock.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import type { CallersInFlight, SessionChannel } from './callers-in-flight.ts';
import type { LevelArbiter } from './log-levels.ts';
import type { SubscriptionCounter } from './subscriptions.ts';

/** What a link tells, as `UpstreamLink.onNotification` hands it out. */
type Notification = Parameters<Parameters<UpstreamLink['onNotification']>[0]>[0];

/** Lists of a server, as the notifications of their changes name them. */
export const changedLists = ['tools', 'prompts', 'resources'] as const;
export type ChangedList = (typeof changedLists)[number];

export interface FanOutOptions {
  readonly clock: Clock;
  readonly callers: CallersInFlight;
  readonly levels: LevelArbiter;
  readonly subscriptions: SubscriptionCounter;
  readonly elicitations: ElicitationOwners;
  /** Every session of the place, with calls in flight or without. */
  readonly sessions: () => Iterable<SessionChannel>;
  /** Nobody was told: it belonged to several or none, or its receiver was gone. The journal has the logs of servers anyway. */
  readonly onUnclaimed?: (method: string) => void;
}

/** Changes of lists within this time are told as one. */
const DEBOUNCE_MS = 100;
/** Changes of lists are told by `listChanged`, once the lists were read again. */
const LIST_CHANGED = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/** Clients are told of templates with the resources. */
export function changedListOf(list: OfferList): ChangedList {
  return list === 'resourceTemplates' ? 'resources' : list;
}

/** What clients are told of it. */
export function listChanged(list: ChangedList): object {
  return { jsonrpc: '2.0', method: `notifications/${list}/list_changed` };
}

/** What a server tells its clients, each to those whom it concerns: never one client's affairs to another. */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #pending = new Map<ChangedList, Disposable>();

  constructor(options: FanOutOptions) {
    this.#options = options;
  }

  /** Listens to the link until the undo, or its end. */
  attach(link: UpstreamLink): () => void {
    return link.onNotification((notification) => this.notified(notification));
  }

  /** The server tells something. */
  notified(notification: Notification): void {
    const { method, params } = notification;
    if (LIST_CHANGED.test(method)) return;
    if (method === 'notifications/resources/updated') this.#updated(notification);
    else if (method === 'notifications/elicitation/complete')
      this.#completed(params?.['elicitationId'], notification);
    else this.#toSoleCaller(notification);
  }

  /** A list of the server is another one now: every session hears it, those without a call as well. */
  listChanged(list: ChangedList): void {
    if (this.#pending.has(list)) return;
    const timer = this.#options.clock.setTimeout(() => {
      this.#pending.delete(list);
      for (const session of this.#options.sessions()) session.owe(listChanged(list));
    }, DEBOUNCE_MS);
    this.#pending.set(list, timer);
  }

  dispose(): void {
    for (const timer of this.#pending.values()) timer.dispose();
    this.#pending.clear();
  }

  #updated({ method, params }: Notification): void {
    for (const session of this.#options.subscriptions.subscribersOf(params?.['uri']))
      session.owe({ jsonrpc: '2.0', method, params });
  }

  #completed(elicitationId: unknown, { method, params }: Notification): void {
    const owner = this.#options.elicitations.ownerOf(elicitationId);
    if (owner === undefined) return this.#options.onUnclaimed?.(method);
    for (const session of this.#options.sessions())
      if (session.facts.nonce === owner) session.owe({ jsonrpc: '2.0', method, params });
  }

  /** The receiver is decided when the message comes, because by the time that a long one is parsed another may call. */
  #toSoleCaller({ method, params, long }: Notification): void {
    const { callers, levels, onUnclaimed } = this.#options;
    const sole = callers.sole();
    if (typeof sole === 'string') return onUnclaimed?.(method);
    const tell = (whole: Notification['params']) => {
      const isLog = method === 'notifications/message';
      if (isLog && !levels.passes(sole.session.nonce, whole?.['level'])) return;
      const message = { jsonrpc: '2.0', method, ...(whole && { params: whole }) };
      if (!sole.replies.some((reply) => reply.isOpen && reply.stream(message))) onUnclaimed?.(method);
    };
    if (!long) return tell(params);
    long.body().then(tell, () => onUnclaimed?.(method));
  }
}

/** More are forgotten, the oldest first: a server that never says that one is over would fill memory. */
const MAX_KNOWN = 1000;

/** Which session each question of a server that is answered elsewhere (mode `url`) was put to, by its `elicitationId`. */
export class ElicitationOwners {
  readonly #owners = new Map<string, string | undefined>();

  /** @param session its nonce. An id that two sessions were given belongs to nobody, because it cannot be told whose is meant. */
  note(elicitationId: unknown, session: string): void {
    if (typeof elicitationId !== 'string') return;
    const isTaken = this.#owners.has(elicitationId) && this.#owners.get(elicitationId) !== session;
    this.#owners.set(elicitationId, isTaken ? undefined : session);
    if (this.#owners.size <= MAX_KNOWN) return;
    for (const oldest of this.#owners.keys()) return void this.#owners.delete(oldest);
  }

  /** The ids in the `data` of an error −32042, which tells the client to open an address first. */
  noteAll(errorData: unknown, session: string): void {
    const listed = (errorData as { elicitations?: unknown } | null | undefined)?.elicitations;
    if (!Array.isArray(listed)) return;
    for (const item of listed as readonly unknown[])
      this.note((item as { elicitationId?: unknown } | null)?.elicitationId, session);
  }

  /** The nonce of the session that is waiting for it. */
  ownerOf(elicitationId: unknown): string | undefined {
    return typeof elicitationId === 'string' ? this.#owners.get(elicitationId) : undefined;
  }
}
