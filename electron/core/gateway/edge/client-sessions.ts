import type { Disposable } from '../../clock.ts';
import type { AskRouter } from '../relay/ask-router.ts';
import { CallWatch } from '../relay/call-watch.ts';
import { contextIdOf } from '../relay/context-id.ts';
import { Places } from '../relay/places.ts';
import { SessionRelay } from '../relay/session-relay.ts';
import type { SessionFacts } from '../types.ts';
import type { ClientSessionView } from './client-session-view.ts';
import { ClientSession } from './client-session.ts';
import type { LegacyEdgeOptions } from './legacy-edge-options.ts';

/** A session without a request and without a stream for so long gives its lease back until its next request. */
const IDLE_MS = 15 * 60_000;
/** One that is silent for so long is forgotten: its id opens all the same, its log level and its subscriptions are gone. */
const FORGET_MS = 24 * 60 * 60_000;
const IDLE_REASON = 'The session was idle.';
const SWEEP_MS = 60_000;
/** More are not kept, but for those in use, which the limits on calls and streams bound. */
const MAX_SESSIONS = 1000;

/** The sessions of clients that are in memory, by their nonce, the one seen last at the end. */
export class ClientSessions {
  readonly #options: LegacyEdgeOptions;
  readonly #places: Places;
  readonly #watch: CallWatch;
  readonly #sessions = new Map<string, ClientSession>();
  #sweep: Disposable | undefined;

  constructor(options: LegacyEdgeOptions) {
    this.#options = options;
    this.#places = new Places(options);
    this.#watch = new CallWatch(options.clock);
  }

  /** The session of these facts, which a request has just come for; made anew where it is not in memory. */
  seen(facts: SessionFacts, clientName: string): ClientSession {
    const session = this.#sessions.get(facts.nonce) ?? this.#create(facts, clientName);
    session.seen(clientName);
    this.#sessions.delete(facts.nonce);
    this.#sessions.set(facts.nonce, session);
    this.#sweep ??= this.#sweepLater();
    this.#options.onChange();
    return session;
  }

  /** What servers ask clients. */
  get asks(): AskRouter {
    return this.#places.asks;
  }

  /** Nothing of it stays in memory: its calls are given up, its stream is closed. */
  forget(nonce: string, reason: string): void {
    const session = this.#sessions.get(nonce);
    if (!this.#sessions.delete(nonce)) return;
    session?.end(reason);
    this.#options.onChange();
  }

  forgetClient(clientId: string, reason: string): void {
    for (const { facts } of [...this.#sessions.values()])
      if (facts.clientId === clientId) this.forget(facts.nonce, reason);
  }

  views(): ClientSessionView[] {
    const nowMs = this.#options.clock.now();
    return [...this.#sessions.values()]
      .filter(({ isResting }) => !isResting)
      .map((session) => viewOf(session, nowMs));
  }

  dispose(): void {
    for (const nonce of [...this.#sessions.keys()]) this.forget(nonce, 'The panel is quitting.');
    this.#sweep?.dispose();
    this.#watch.dispose();
    this.#places.dispose();
  }

  #create(facts: SessionFacts, clientName: string): ClientSession {
    this.#makeRoom();
    const shared = { places: this.#places, watch: this.#watch };
    return new ClientSession({
      ...this.#options,
      facts,
      clientName,
      createRelay: (session) => new SessionRelay({ ...this.#options, ...shared, session }),
    });
  }

  /** The client that has most gives up the one that was silent for longest, so that a flood of one costs the others nothing. */
  #makeRoom(): void {
    if (this.#sessions.size < MAX_SESSIONS) return;
    const counts = new Map<string, number>();
    const countOf = ({ facts }: ClientSession) => counts.get(facts.clientId) ?? 0;
    for (const session of this.#sessions.values()) counts.set(session.facts.clientId, countOf(session) + 1);
    let chosen: ClientSession | undefined;
    for (const session of this.#sessions.values())
      if (!session.isInUse && (!chosen || countOf(session) > countOf(chosen))) chosen = session;
    if (chosen) this.forget(chosen.facts.nonce, IDLE_REASON);
  }

  #forgetSilent(nowMs: number): void {
    for (const session of [...this.#sessions.values()])
      if (isSilent(session, nowMs, FORGET_MS)) this.forget(session.facts.nonce, IDLE_REASON);
  }

  #restSilent(nowMs: number): void {
    for (const session of this.#sessions.values()) {
      if (session.isResting || !isSilent(session, nowMs, IDLE_MS)) continue;
      session.rest();
      this.#options.onChange();
    }
  }

  #sweepLater(): Disposable {
    return this.#options.clock.setTimeout(() => {
      const nowMs = this.#options.clock.now();
      this.#forgetSilent(nowMs);
      this.#restSilent(nowMs);
      this.#sweep = this.#sessions.size > 0 ? this.#sweepLater() : undefined;
    }, SWEEP_MS);
  }
}

function isSilent(session: ClientSession, nowMs: number, silentMs: number): boolean {
  return !session.isInUse && session.silentMs(nowMs) >= silentMs;
}

function viewOf({ facts, relay, lastSeenAt }: ClientSession, nowMs: number): ClientSessionView {
  const { clientId, server, info, capabilities } = facts;
  const inFlight = [...relay.calls].map(({ method, target, startedAtMs }) => ({
    method,
    ...(target !== undefined && { target }),
    sinceMs: nowMs - startedAtMs,
  }));
  const contextId = contextIdOf(facts);
  return { clientId, server, contextId, ...(info && { info }), capabilities, inFlight, lastSeenAt };
}
