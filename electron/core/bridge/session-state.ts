import type { MessageId } from '../gateway/types.ts';
import { lineOf, type Line, type Link, type Message } from '../gateway-client/wire.ts';

const OWN_ID = 'mcp-control-panel-bridge-';

export class LinkLost extends Error {}

/** What the client has set up, to be repeated in a new session: the greeting (`initialize`), the log level and subscriptions. */
export class SessionState {
  #initialize: Message | undefined;
  /** Version that client and server have agreed on; undefined before the first greeting was answered. */
  #version: unknown;
  #isInitialized = false;
  readonly #settings = new Map<string, Message>();
  /** Requests of the bridge itself. */
  readonly #own = new Map<MessageId, { link: Link; settle: (answer: Message) => void }>();
  #lastId = 0;

  get isGreeted(): boolean {
    return this.#version !== undefined;
  }

  said({ message }: Line): void {
    const { method, params } = message;
    const subject = `resources ${String(params?.['uri'])}`;
    if (method === 'initialize') this.#initialize = message;
    else if (method === 'notifications/initialized') this.#isInitialized = true;
    else if (method === 'logging/setLevel') this.#settings.set('level', message);
    else if (method === 'resources/subscribe') this.#settings.set(subject, message);
    else if (method === 'resources/unsubscribe') this.#settings.delete(subject);
  }

  /** Records an answer. Returns true if it answers a request of the bridge itself. */
  heard({ message }: Line, link: Link): boolean {
    const { id, method, result } = message;
    if (id === undefined || method !== undefined) return false;
    const own = this.#own.get(id);
    this.#own.delete(id);
    own?.settle(message);
    if (!own && id === this.#initialize?.id && result) {
      this.#version ??= result['protocolVersion'];
      link.isGreeted = true;
    }
    return own !== undefined || (typeof id === 'string' && id.startsWith(OWN_ID));
  }

  /** Ends the bridge's own requests over this link with an error, because the link was lost. */
  lost(link: Link, why: string): void {
    for (const { link: asked, settle } of this.#own.values())
      if (asked === link) settle({ error: new LinkLost(why) });
  }

  /** Repeats the client's session over this link; does nothing if the client has none yet. @throws when it is refused */
  async restore(link: Link): Promise<void> {
    if (!this.isGreeted) return;
    const params = { ...this.#initialize?.params, protocolVersion: this.#version };
    const { error } = await this.#ask(link, { method: 'initialize', params });
    if (error instanceof LinkLost) throw error;
    if (error !== undefined) throw new Error(wordsOf(error));
    if (this.#isInitialized) await link.send(lineOf({ method: 'notifications/initialized' }));
    for (const { method, params: set } of [...this.#settings.values()])
      await this.#ask(link, { ...(method !== undefined && { method }), ...(set && { params: set }) });
    link.isGreeted = true;
  }

  #ask(link: Link, message: Message): Promise<Message> {
    const id = `${OWN_ID}${(this.#lastId += 1)}`;
    return new Promise((resolve) => {
      this.#own.set(id, { link, settle: resolve });
      void link.send(lineOf({ ...message, id })).then((delivery) => {
        const isWaiting = link.kind === 'own' && delivery === 'taken';
        if (!isWaiting && this.#own.delete(id)) resolve({ error: new LinkLost('There was no answer.') });
      });
    });
  }
}

function wordsOf(error: unknown): string {
  const words = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof words === 'string' ? words : 'The server refused the session.';
}
