import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { MessageContent } from '../logs/traffic-contents.ts';
import type { LongMessage } from './long-message.ts';

/** Who asks a server for something. */
export interface Asker {
  /** Name of the client on whose behalf it is asked. */
  readonly client?: string | undefined;
  /** The panel asks for itself. */
  readonly isOwn: boolean;
}

/** A message on its way, as it left or came. */
export interface TrafficMessage {
  readonly direction: 'to-server' | 'from-server';
  /** Of a long one its outline. */
  readonly message: JSONRPCMessage;
  /** As text or bytes that are there anyway; undefined where it was too long to be kept. */
  readonly content: MessageContent | undefined;
  /** Of a request of ours. */
  readonly asker: Asker | undefined;
}

/** Told of a message that leaves or came, by whoever carries it. */
export type OnTraffic = (
  direction: TrafficMessage['direction'],
  message: JSONRPCMessage,
  content: MessageContent | undefined,
) => void;

/** The SDK's transport, which may hand on long messages unparsed. They keep their place among the others. */
export interface PeerTransport extends Transport {
  onlongmessage?: (message: LongMessage) => void;
  /** Told of each message that leaves, and of each that came, before it is handed on. */
  onpassed?: OnTraffic;
}
