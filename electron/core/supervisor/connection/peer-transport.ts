import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { LongMessage } from './long-message.ts';
import type { MessageContent, PassedMessage } from './passages.ts';

/** The SDK's transport, which may hand on long messages unparsed. They keep their place among the others. */
export interface PeerTransport extends Transport {
  onlongmessage?: (message: LongMessage) => void;
  /** Told of each message that leaves, and of each that came, before it is handed on. */
  onpassed?: OnPassed;
}

export type OnPassed = (
  direction: PassedMessage['direction'],
  message: JSONRPCMessage,
  content: MessageContent | undefined,
) => void;
