import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';

export interface TransportObserver {
  /** Called before the message is handed to the transport. */
  onSend(message: JSONRPCMessage): void;
  /** The transport did not get rid of it. Called before the sender hears of it. */
  onUnsent(message: JSONRPCMessage): void;
  /** Called before the message is handled. False: it is for nobody, and not handled. */
  onReceive(message: JSONRPCMessage): boolean;
}

/** Any transport, with everything that passes over it shown to an observer first. */
export class ObservedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  setProtocolVersion?: (version: string) => void;

  readonly #inner: Transport;
  readonly #observer: TransportObserver;

  constructor(inner: Transport, observer: TransportObserver) {
    this.#inner = inner;
    this.#observer = observer;
    // Only where the inner one has it: the SDK's client asks by its presence.
    if (inner.setProtocolVersion) this.setProtocolVersion = (version) => inner.setProtocolVersion?.(version);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message, extra) => {
      if (this.#observer.onReceive(message)) this.onmessage?.(message, extra);
    };
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#observer.onSend(message);
    const sending = this.#inner.send(message, options);
    sending.catch(() => this.#observer.onUnsent(message));
    return sending;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
