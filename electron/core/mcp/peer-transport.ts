import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { MessageContent } from '../logs/traffic-contents.ts';
import type { LongMessage } from './long-message.ts';

/** Who has sent a request to a server: a client or the panel. */
export interface Asker {
  /** Name of the client on whose behalf the request is sent. */
  readonly client?: string | undefined;
  /** True if the panel sends the request for itself. */
  readonly isOwn: boolean;
}

/** A message as it was sent or received. */
export interface TrafficMessage {
  readonly direction: 'to-server' | 'from-server';
  /** The message; for a long message, only its header. */
  readonly message: JSONRPCMessage;
  /**
   * JSON text or bytes of the message, if they exist already; undefined if they do not, or if the message was too long to be
   * stored.
   */
  readonly content: MessageContent | undefined;
  /** Who sent the message, if it is a request to the server; otherwise undefined. */
  readonly asker: Asker | undefined;
}

/** Called by the transport for each message that is sent or received. */
export type OnTraffic = (
  direction: TrafficMessage['direction'],
  message: JSONRPCMessage,
  content: MessageContent | undefined,
) => void;

/** Transport of the SDK that may deliver long messages unparsed, in the correct order among the other messages. */
export interface PeerTransport extends Transport {
  onlongmessage?: (message: LongMessage) => void;
  /** Called for each message that is sent, and for each received one before it is delivered. */
  onpassed?: OnTraffic;
}
