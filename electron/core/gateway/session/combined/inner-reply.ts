import { isJsonObject } from '../../../../../shared/json-object.ts';
import type { GatewayReply } from '../../types.ts';
import { combinedUri } from './names.ts';

/**
 * Wraps the client's open response for the inner session with one server. In resource notifications, it replaces the server's
 * address with the combined address that the client knows.
 */
export class InnerReply implements GatewayReply {
  readonly #outer: GatewayReply;
  readonly #server: string;

  constructor(outer: GatewayReply, server: string) {
    this.#outer = outer;
    this.#server = server;
  }

  get isOpen(): boolean {
    return this.#outer.isOpen;
  }

  get bytes(): GatewayReply['bytes'] {
    return this.#outer.bytes;
  }

  header(name: string, value: string): void {
    this.#outer.header(name, value);
  }

  status(code: number, body?: object): void {
    this.#outer.status(code, body);
  }

  stream(message: object): boolean {
    const { method, params } = message as { method?: unknown; params?: unknown };
    if (method !== 'notifications/resources/updated' || !isJsonObject(params))
      return this.#outer.stream(message);
    const uri = combinedUri(this.#server, String(params['uri']));
    return this.#outer.stream({ ...message, params: { ...params, uri } });
  }

  open(): void {
    this.#outer.open();
  }

  end(message: object | readonly Uint8Array[]): void {
    this.#outer.end(message);
  }

  close(): void {
    this.#outer.close();
  }

  onGone(listener: () => void): () => void {
    return this.#outer.onGone(listener);
  }
}

/** Response that discards everything, for a message that the client's session has accepted or that the panel itself sends. */
export const silentReply: GatewayReply = {
  isOpen: false,
  header: () => undefined,
  status: () => undefined,
  stream: () => false,
  open: () => undefined,
  end: () => undefined,
  close: () => undefined,
  onGone: () => () => undefined,
};
