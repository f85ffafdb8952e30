import type { ServerConfig } from '../../../shared/server-config.ts';
import { serverKey } from '../config/server-key.ts';
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
  /** By name. With the key of how the server was reached then: another command or address begins anew. */
  readonly #lessons = new Map<string, { readonly key: string; readonly sharing: LearntSharing }>();

  /** The server sent a request. Returns whether that is news. */
  asked(config: ServerConfig, method: string): boolean {
    if (this.of(config) !== undefined || !Object.hasOwn(wants, method)) return false;
    const words = `It asks its clients ${wants[method] ?? ''}, and a shared one could not say whose.`;
    this.#lessons.set(config.name, { key: serverKey(config), sharing: { mode: 'exclusive', words } });
    return true;
  }

  /** Asked at every acquire: the key, a hash of the whole configuration, is computed only where there is a lesson. */
  of(config: ServerConfig): LearntSharing | undefined {
    const lesson = this.#lessons.get(config.name);
    return lesson !== undefined && lesson.key === serverKey(config) ? lesson.sharing : undefined;
  }
}
