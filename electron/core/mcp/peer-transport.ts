import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { LongMessage } from './long-message.ts';
import type { OnPassed } from './passed-message.ts';

/** The SDK's transport, which may hand on long messages unparsed. They keep their place among the others. */
export interface PeerTransport extends Transport {
  onlongmessage?: (message: LongMessage) => void;
  /** Told of each message that leaves, and of each that came, before it is handed on. */
  onpassed?: OnPassed;
}
