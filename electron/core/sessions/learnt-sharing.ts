import type { ServerConfig } from '../../../shared/server-config.ts';
import { serverKey } from './server-key.ts';
import type { LearntSharing } from './sharing-mode.ts';

/** What a server asks its clients for, in words. Requests of the protocol that a server may send (2025-11-25, "Client features"). */
const wants: Readonly<Record<string, string>> = {
  'roots/list': 'for their folders',
  'sampling/createMessage': 'for answers of their model',
  'elicitation/create': 'to put questions to their person',
};

/**
 * What running the servers has shown about sharing them. A server that ever asked its client for something cannot be
 * shared: nothing in such a request says which of its users it is for.
 */
export class SharingLessons {
  readonly #byKey = new Map<string, LearntSharing>();

  /** The server sent a request. Returns whether that is news. */
  asked(config: ServerConfig, method: string): boolean {
    const key = serverKey(config);
    if (this.#byKey.has(key) || !Object.hasOwn(wants, method)) return false;
    const words = `It asks its clients ${wants[method] ?? ''}, and a shared one could not say whose.`;
    this.#byKey.set(key, { mode: 'exclusive', words });
    return true;
  }

  /** Of this way to reach the server; another command or address begins anew. */
  of(config: ServerConfig): LearntSharing | undefined {
    return this.#byKey.get(serverKey(config));
  }
}
