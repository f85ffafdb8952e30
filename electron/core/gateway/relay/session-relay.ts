import type { LeaseUse } from '../../sessions/lease-holder.ts';
import type { RawResult } from '../../mcp/long-message.ts';
import type { InboundMessage, MessageId, RelayCall } from '../types.ts';
import type { RelayedOutcome } from './call-end.ts';
import type { CallWatch, Watched } from './call-watch.ts';
import type { SessionChannel } from './callers-in-flight.ts';
import type { CallSteps, SendCall } from './call-steps.ts';
import { ClientCall, type CallWait, type ClientCallOptions } from './client-call.ts';
import { rpcErrorIn } from './relay-error.ts';
import { SessionWay, type SessionWayOptions } from './session-way.ts';

/** A client's session as its relay needs to know it. */
export interface RelayedSession extends SessionChannel {
  readonly clientName: string;
  /** How long nothing has come of the client; 0 while it holds a stream open. */
  silentMs(nowMs: number): number;
}

export interface SessionRelayOptions extends Omit<SessionWayOptions, 'use'> {
  readonly session: RelayedSession;
  readonly watch: CallWatch;
}

/** A call whose client is gone goes on for so long after the last sign of it. */
const ABANDONED_MS = 60_000;
const URL_ELICITATION_REQUIRED = -32042;
/** What a server does for long; only these calls tell whether it does them in turn, and wait for their turn. */
const TOOL_CALL = 'tools/call';

/** One client session's calls to its server. */
export class SessionRelay {
  readonly way: SessionWay;
  readonly #options: SessionRelayOptions;
  readonly #calls = new Set<ClientCall>();
  #quietSinceMs: number;

  constructor(options: SessionRelayOptions) {
    this.#options = options;
    this.#quietSinceMs = options.clock.now();
    this.way = new SessionWay({ ...options, use: () => this.#use() });
  }

  /** Calls under way, oldest first. */
  get calls(): ReadonlySet<ClientCall> {
    return this.#calls;
  }

  /** Takes the call to the server, where `steps` do not say otherwise; its reply ends once, whatever becomes of it. */
  relay(call: RelayCall, { here, send }: CallSteps = {}): void {
    this.#carryOut(call, { here, send: send ?? this.#sendOf(call) }, (ended, outcome) =>
      this.#tellEnd(ended, outcome),
    );
  }

  /** Answers as soon as the server is up. That is no call. */
  whenUp(call: RelayCall, send: SendCall): void {
    this.#carryOut(call, { here: undefined, send }, () => undefined);
  }

  /** Passes a notification on to the server, if that is up. */
  notify({ method = '', params }: InboundMessage): void {
    const tell = async () => this.way.current()?.connection.notify(method, params);
    tell().catch(() => undefined);
  }

  /** The client gives up its requests of that id. A client that uses one id twice means both. */
  cancel(id: MessageId, reason: string): void {
    for (const call of [...this.#calls]) if (call.id === id) call.cancel(reason);
  }

  /** Its calls are given up, its lease is given back. Idempotent. */
  end(reason: string): void {
    for (const call of [...this.#calls]) call.cancel(reason);
    this.#options.places.asks.sessionEnded(this.#options.session.facts);
    this.way.end();
  }

  #carryOut(
    call: RelayCall,
    steps: Pick<ClientCallOptions, 'here' | 'send'>,
    onEnded: (call: ClientCall, outcome: RelayedOutcome) => void,
  ): void {
    const { clock, redact, session, watch } = this.#options;
    const clientCall = new ClientCall({
      clock,
      call,
      clientName: session.clientName,
      redact,
      ...steps,
      current: () => this.way.current(),
      acquire: (signal) => this.way.acquire(signal),
      turn: call.method === TOOL_CALL ? (signal) => this.way.turn(signal) : undefined,
      turnTimeoutMs: () => this.way.server?.config.panel.calls.timeoutMs ?? 0,
      onWaited: (waitedMs) => this.#options.onTurnWaited({ ...session.facts, waitedMs }),
      onEnded: (ended, outcome) => {
        this.#calls.delete(ended);
        this.#quietSinceMs = clock.now();
        watch.remove(watched);
        onEnded(ended, outcome);
      },
    });
    const watched: Watched = { tick: (nowMs) => this.#lookAt(clientCall, nowMs) };
    this.#calls.add(clientCall);
    watch.add(watched);
    void clientCall.carryOut();
  }

  #use(): LeaseUse {
    const { clock, places, session } = this.#options;
    const isCalling = this.#calls.size > 0 || places.asks.isAsked(session.facts);
    const quietMs = isCalling ? 0 : clock.now() - this.#quietSinceMs;
    return { holder: session.clientName, isCalling, isListening: session.isListening, quietMs };
  }

  #lookAt(call: ClientCall, nowMs: number): void {
    call.tick(nowMs, (wait) => this.#waitWords(wait));
    if (call.reply.isOpen || this.#options.session.silentMs(nowMs) < ABANDONED_MS) return;
    call.cancel('The client has left.');
  }

  #waitWords(wait: CallWait): string {
    const { server } = this.#options.session.facts;
    if (wait === 'server' || this.way.server?.state === 'starting')
      return `${this.way.isStarting() ? 'starting' : 'waiting for'} ${server}`;
    return this.way.isBehindOther() ? 'waiting for another client' : 'waiting for an earlier call';
  }

  #sendOf(call: RelayCall): SendCall {
    return (lease, params, options) =>
      this.#during(call, () => lease.requestRaw(call.method, params, options));
  }

  /** The server may say things on behalf of the call while it lasts. */
  async #during({ method, session, reply }: RelayCall, ask: () => Promise<RawResult>): Promise<RawResult> {
    const place = this.way.place();
    const end = place.begin({ session, reply });
    const endTurn = method === TOOL_CALL ? place.beginTool() : undefined;
    try {
      const raw = await ask();
      endTurn?.('result');
      return raw;
    } catch (error) {
      endTurn?.('unclear');
      const said = rpcErrorIn(error);
      // The client is told to open an address first; the server will say when that was done.
      if (said?.code === URL_ELICITATION_REQUIRED) place.elicitations.noteAll(said.data, session.nonce);
      throw error;
    } finally {
      end?.();
    }
  }

  #tellEnd({ method, target, startedAtMs }: ClientCall, outcome: RelayedOutcome): void {
    const { clock, onCallEnded, session } = this.#options;
    const { clientId, server } = session.facts;
    const what = { clientId, clientName: session.clientName, server, method, outcome };
    onCallEnded({ ...what, ...(target !== undefined && { target }), durationMs: clock.now() - startedAtMs });
  }
}
