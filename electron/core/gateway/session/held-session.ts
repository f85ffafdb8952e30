import type { GatewayReply, InboundMessage, MessageId, SessionFacts } from '../types.ts';
import type { ClientSessionView } from './options.ts';

/** A client's session in memory, with one server or with several. */
export interface HeldSession {
  readonly facts: SessionFacts;
  /** True after `rest`, until the next request. */
  readonly isResting: boolean;
  /** True while the session has a call in flight or an open stream. */
  readonly isInUse: boolean;
  /** Notes a request of the client. */
  seen(clientName: string): void;
  /** Answers `initialize`. */
  greet(id: MessageId, reply: GatewayReply): void;
  /** Handles a message of the client: a request, a notification, or the answer to a server request. */
  handle(message: InboundMessage, reply: GatewayReply): void;
  /** Opens the stream for messages outside calls. */
  listen(reply: GatewayReply): void;
  /** Called about once a second while there are calls. */
  tick(nowMs: number): void;
  /** Milliseconds without a request and a stream. */
  silentMs(nowMs: number): number;
  /** Releases what the session holds of its servers until its next request. */
  rest(): void;
  /** Ends the session: cancels its calls, closes its stream. */
  end(why: string): void;
  /** The session for the app window, one view for each server that it uses. */
  views(nowMs: number): ClientSessionView[];
}
