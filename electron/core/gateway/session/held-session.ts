import {
  contextIdOf,
  type GatewayReply,
  type InboundMessage,
  type MessageId,
  type SessionFacts,
} from '../types.ts';
import type { Upstreams } from '../upstream/upstreams.ts';
import type { ClientCallView, ClientSessionsOptions, ClientSessionView } from './options.ts';
import { SessionStream } from './session-stream.ts';

/** Parts that all sessions share. */
export interface SharedParts {
  readonly options: ClientSessionsOptions;
  readonly upstreams: Upstreams;
  /** Called when a call begins, and again at each tick while a call is in flight, to keep the tick timer running. */
  readonly callBegan: () => void;
}

/** In-memory part of a client's session with one or more servers. The session outlives it, because its id encodes its facts. */
export abstract class HeldSession {
  readonly facts: SessionFacts;
  /** Client's name at its last request, as the user chose it. */
  clientName: string;
  protected readonly shared: SharedParts;
  protected readonly stream: SessionStream;
  /** Epoch milliseconds of the client's last request. */
  #lastSeenAt: number;
  #isResting = false;

  constructor(facts: SessionFacts, clientName: string, shared: SharedParts) {
    this.facts = facts;
    this.clientName = clientName;
    this.shared = shared;
    this.stream = new SessionStream(shared.options.clock);
    this.#lastSeenAt = shared.options.wallClock.epochMs();
  }

  /** True after `rest`, until the next request. */
  get isResting(): boolean {
    return this.#isResting;
  }

  /** True while the session has a call in flight or an open stream. */
  abstract get isInUse(): boolean;

  /** Answers `initialize`. */
  abstract greet(id: MessageId, reply: GatewayReply): void;

  /** Handles a message of the client: a request, a notification, or the answer to a server request. */
  abstract handle(message: InboundMessage, reply: GatewayReply): void;

  /** Opens the stream (GET) for messages that belong to no call. */
  abstract listen(reply: GatewayReply): void;

  /** Called about once a second while there are calls. */
  abstract tick(nowMs: number): void;

  /** Ends the session: cancels its calls, closes its stream. */
  abstract end(why: string): void;

  /** Returns the session for the app window, one view for each server that it uses. */
  abstract views(nowMs: number): ClientSessionView[];

  /** Records the time of a client's request, and the client's current name. */
  seen(clientName: string): void {
    this.clientName = clientName;
    this.#lastSeenAt = this.shared.options.wallClock.epochMs();
    this.stream.seen();
    this.#isResting = false;
  }

  /** Returns for how many milliseconds the client has sent no request; 0 while a stream is open. */
  silentMs(nowMs: number): number {
    return this.stream.silentMs(nowMs);
  }

  /** Releases everything that the session uses of its servers, until its next request. */
  rest(): void {
    this.#isResting = true;
  }

  protected viewWith(inFlight: readonly ClientCallView[]): ClientSessionView {
    const { clientId, server, info, capabilities, protocolVersion } = this.facts;
    return {
      ...{ clientId, server, contextId: contextIdOf(this.facts) },
      ...(info && { info }),
      ...{ protocolVersion, capabilities, inFlight, lastSeenAt: this.#lastSeenAt },
    };
  }
}
