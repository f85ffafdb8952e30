import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { MessageContent } from '../logs/traffic-contents.ts';

/** Who asks a server for something. */
export interface Asker {
  /** Name of the client on whose behalf it is asked. */
  readonly client?: string | undefined;
  /** The panel asks for itself. */
  readonly isOwn: boolean;
}

/** A message on its way, as it left or came. */
export interface PassedMessage {
  readonly direction: 'to-server' | 'from-server';
  /** Of a long one its outline. */
  readonly message: JSONRPCMessage;
  /** As text or bytes that are there anyway; undefined where it was too long to be kept. */
  readonly content: MessageContent | undefined;
  /** Of a request of ours. */
  readonly asker: Asker | undefined;
}

/** Told of a message that leaves or came, by whoever carries it. */
export type OnPassed = (
  direction: PassedMessage['direction'],
  message: JSONRPCMessage,
  content: MessageContent | undefined,
) => void;
