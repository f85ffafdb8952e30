import type { OfferList } from '../../../../shared/domain.ts';
import type { Clock, Disposable } from '../../clock.ts';
import type { ServerLink } from '../../sessions/server-link.ts';
import type { CallersInFlight, SessionChannel } from './callers-in-flight.ts';
import type { LevelArbiter } from './log-levels.ts';
import type { SubscriptionCounter } from './subscriptions.ts';

/** Notification of a connection, from `ServerLink.onNotification`. */
type Notification = Parameters<Parameters<ServerLink['onNotification']>[0]>[0];

/** Lists that a server can report as changed, as named in `notifications/<list>/list_changed`. */
export const changedLists = ['tools', 'prompts', 'resources'] as const;
export type ChangedList = (typeof changedLists)[number];

interface FanOutOptions {
  readonly clock: Clock;
  readonly callers: CallersInFlight;
  readonly levels: LevelArbiter;
  readonly subscriptions: SubscriptionCounter;
  readonly elicitations: ElicitationOwners;
  /** Returns all client sessions that use the connection, with or without calls in flight. */
  readonly sessions: () => Iterable<SessionChannel>;
}

/** Milliseconds within which list changes are combined into one notification. */
const DEBOUNCE_MS = 100;
/** Matches notifications of list changes. `listChanged` forwards them only once the panel has read the lists again. */
const LIST_CHANGED = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/** Returns the list whose change is reported to clients: changed resource templates are reported as changed resources. */
export function changedListOf(list: OfferList): ChangedList {
  return list === 'resourceTemplates' ? 'resources' : list;
}

/** Returns the change notification that clients get. */
export function listChanged(list: ChangedList): object {
  return { jsonrpc: '2.0', method: `notifications/${list}/list_changed` };
}

/** Sends each server message to the sessions that it concerns, and never sends data of one client to another. */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #pending = new Map<ChangedList, Disposable>();

  constructor(options: FanOutOptions) {
    this.#options = options;
  }

  /** Listens to the connection until it ends or the returned unsubscribe function is called. */
  attach(link: ServerLink): () => void {
    return link.onNotification((notification) => {
      const { method, params } = notification;
      if (LIST_CHANGED.test(method)) return;
      if (method === 'notifications/resources/updated') this.#updated(notification);
      else if (method === 'notifications/elicitation/complete')
        this.#completed(params?.['elicitationId'], notification);
      else this.#toSoleCaller(notification);
    });
  }

  /** Notifies every session of a list change, whether or not it has called. */
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
    for (const session of this.#options.sessions())
      if (session.facts.nonce === owner) session.owe({ jsonrpc: '2.0', method, params });
  }

  /**
   * Forwards a message to the only session that it can be meant for. If several sessions or none are possible, the message is
   * dropped. The session is determined when the message arrives, because another session may call while a long message is being
   * parsed.
   */
  #toSoleCaller({ method, params, long }: Notification): void {
    const { callers, levels } = this.#options;
    const sole = callers.sole();
    if (typeof sole === 'string') return;
    const tell = (whole: Notification['params']) => {
      const isLog = method === 'notifications/message';
      if (isLog && !levels.passes(sole.session.nonce, whole?.['level'])) return;
      const message = { jsonrpc: '2.0', method, ...(whole && { params: whole }) };
      sole.replies.some((reply) => reply.isOpen && reply.stream(message));
    };
    if (!long) return tell(params);
    long.body().then(tell, () => undefined);
  }
}

/** Maximum remembered ids; the oldest are forgotten first. Otherwise a server that reports no completion would fill memory. */
const MAX_KNOWN = 1000;

/**
 * Remembers which session each `elicitationId` belongs to. A server request in `url` mode has such an id, because the user
 * answers it outside the client.
 */
export class ElicitationOwners {
  readonly #owners = new Map<string, string | undefined>();

  /**
   * Records the session of an id. An id given to two sessions belongs to neither, because its owner is ambiguous.
   * @param session nonce of the session
   */
  note(elicitationId: unknown, session: string): void {
    if (typeof elicitationId !== 'string') return;
    const isTaken = this.#owners.has(elicitationId) && this.#owners.get(elicitationId) !== session;
    this.#owners.set(elicitationId, isTaken ? undefined : session);
    if (this.#owners.size <= MAX_KNOWN) return;
    for (const oldest of this.#owners.keys()) return void this.#owners.delete(oldest);
  }

  /** Records the ids in the `data` of error −32042, which has the client let the user open a web address before calling again. */
  noteAll(errorData: unknown, session: string): void {
    const listed = (errorData as { elicitations?: unknown } | null | undefined)?.elicitations;
    if (!Array.isArray(listed)) return;
    for (const item of listed as readonly unknown[])
      this.note((item as { elicitationId?: unknown } | null)?.elicitationId, session);
  }

  /** Returns the nonce of the session that waits for the user's answer on a web page; undefined if no single session is known. */
  ownerOf(elicitationId: unknown): string | undefined {
    return typeof elicitationId === 'string' ? this.#owners.get(elicitationId) : undefined;
  }
}
