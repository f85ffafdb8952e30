import { messageOf } from '../../../shared/message-of.ts';
import type { Clock } from '../clock.ts';
import { METHOD_NOT_FOUND } from '../mcp/rpc-error.ts';
import { delay, holdsWithin, settlesWithin } from '../wait.ts';
import type { MessageId } from '../gateway/types.ts';
import { LinkLost, SessionState } from './session-state.ts';
import {
  lineOf,
  messagesIn,
  notDone,
  outcomeUnknown,
  unreadable,
  type Delivery,
  type Line,
  type Link,
  type LinkEvents,
} from '../gateway-client/wire.ts';

interface Ways {
  /** Creates a link to the server through the panel. Undefined if the bridge has no token for the panel. */
  readonly toPanel: ((events: LinkEvents) => Link) | undefined;
  /** True if the panel responds within the time. Never rejects. */
  readonly panelAnswers: (timeoutMs: number) => Promise<boolean>;
  /** Starts the server as the bridge's own process. @throws when it cannot be started */
  readonly startOwn: (events: LinkEvents) => Promise<Link>;
}

export interface RelayOptions extends Ways {
  readonly clock: Clock;
  /** Writes a line for the client. Resolves when the client has read enough. */
  readonly toClient: (text: string) => Promise<void>;
  readonly say: (words: string) => void;
  /** Limits, which tests may override. */
  readonly bounds?: Partial<typeof defaultBounds>;
}

const defaultBounds = {
  /** Time in which the panel must respond when the bridge first looks for it, in ms. */
  firstMs: 300,
  /** Time for which messages are held for a panel that was in use and has stopped responding, in ms. */
  holdMs: 20_000,
  maxHeld: 64,
  maxHeldCharacters: 8 * 1024 * 1024,
  /** Interval of checks for a panel while the server runs as the bridge's own process. */
  lookMs: 2000,
};

const POLL_MS = 50;
const LAST_ANSWERS_MS = 1000;
const MAX_TRIES = 3;
/** Requests that change nothing, and may be sent again if their answer was lost. */
const isRepeatable = (method: string) => ['initialize', 'ping'].includes(method) || method.endsWith('/list');

interface Held extends Line {
  tries: number;
}

/**
 * Passes messages between a client and its server. The server is reached through the panel, or, if the panel does not respond,
 * run by the bridge. No message with an effect is sent twice. While there is no link, a limited number of messages is held.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #bounds: typeof defaultBounds;
  readonly #state = new SessionState();
  #link: Link | undefined;
  /** The link through the panel, which keeps its session while the panel is not running. */
  #panel: Link | undefined;
  #own: Link | undefined;
  #connecting: Promise<void> | undefined;
  #held: Held[] = [];
  /** Requests of the client that were sent and have not been answered. */
  readonly #pending = new Map<MessageId, Link>();
  /** Requests of the server that the client has not answered. */
  readonly #asks = new Map<MessageId, Link>();
  #isEnded = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#bounds = { ...defaultBounds, ...options.bounds };
  }

  take(text: string): void {
    if (text.trim() === '') return;
    const lines = messagesIn(text);
    if (!lines) return this.#tell(unreadable);
    for (const line of lines) this.#takeOne(line);
  }

  /** Closes all links. Never rejects. @param isAtOnce true to end without waiting for the last answers */
  async end(isAtOnce: boolean): Promise<void> {
    const { clock } = this.#options;
    const isDone = () => Promise.resolve(this.#pending.size + this.#held.length === 0);
    await holdsWithin(clock, isDone, { limitMs: isAtOnce ? 0 : LAST_ANSWERS_MS, intervalMs: 10 });
    this.#isEnded = true;
    await Promise.all([this.#panel?.close(), this.#own?.close()]);
    if (this.#connecting) await settlesWithin(clock, this.#connecting, LAST_ANSWERS_MS);
  }

  #takeOne(line: Line): void {
    const { id, method, params } = line.message;
    if (method === undefined) return this.#answered(line);
    if (method === 'server/discover' && id !== undefined)
      return this.#tell(lineOf({ id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } }));
    this.#state.said(line);
    if (method === 'notifications/cancelled' && this.#isTakenBack(params?.['requestId'])) return;
    this.#pass({ ...line, tries: 0 });
  }

  /** Removes a cancelled request from the held messages. Returns true if it was there, so its cancellation need not be sent. */
  #isTakenBack(id: unknown): boolean {
    const kept = this.#held.filter(({ message }) => message.method === undefined || message.id !== id);
    const isHeld = kept.length < this.#held.length;
    this.#held = kept;
    this.#pending.delete(id as MessageId);
    return isHeld;
  }

  #answered(line: Line): void {
    const { id } = line.message;
    const asker = id === undefined ? undefined : this.#asks.get(id);
    if (id === undefined || !asker) return;
    this.#asks.delete(id);
    void asker.send(line);
  }

  #pass(line: Held): void {
    if (this.#link && !this.#connecting) void this.#send(this.#link, line);
    else this.#hold(line);
  }

  #hold(line: Held): void {
    const { maxHeld, maxHeldCharacters } = this.#bounds;
    const characters = this.#held.reduce((sum, { text }) => sum + text.length, line.text.length);
    if (this.#held.length >= maxHeld || characters > maxHeldCharacters)
      return this.#refuse(line, 'Too many messages are waiting for MCP Control Panel.');
    this.#held.push(line);
    this.connect();
  }

  async #send(link: Link, line: Held): Promise<void> {
    const { id, method = '' } = line.message;
    if (id !== undefined) this.#pending.set(id, link);
    const delivery = await link.send(line);
    // The request was answered, cancelled by the client, or sent over another link meanwhile.
    if (id !== undefined && (this.#isEnded || this.#pending.get(id) !== link)) return;
    const isWaiting = link.kind === 'own' && delivery === 'taken';
    if (isWaiting || (id === undefined && (delivery === 'taken' || delivery === 'lost'))) return;
    if (id !== undefined) this.#pending.delete(id);
    if (delivery === 'unsent' || delivery === 'no-session') return this.#again(line, delivery);
    if (link.kind === 'panel' && isRepeatable(method)) return this.#again(line, delivery);
    if (id !== undefined) this.#tell(outcomeUnknown(id, `${method} was sent.`));
  }

  #again(line: Held, delivery: Delivery): void {
    line.tries += delivery === 'unsent' ? 0 : 1;
    if (line.tries >= MAX_TRIES) return this.#refuse(line, 'The panel ends every session immediately.');
    this.#link = undefined;
    // Appending keeps the order: earlier messages whose sending also failed have been appended before.
    this.#hold(line);
  }

  /** Searches for a way to the server, unless a search is in progress. Also called at the start, before the first message. */
  connect(): void {
    if (this.#connecting || this.#isEnded) return;
    this.#connecting = this.#findWay()
      .catch((error: unknown) => {
        this.#options.say(messageOf(error));
        for (const line of this.#held.splice(0)) this.#refuse(line, messageOf(error));
      })
      .finally(() => {
        this.#connecting = undefined;
        const held = this.#held.splice(0);
        for (const line of held) this.#pass(line);
      });
  }

  /** Opens a link through the panel, or else starts the server. @throws if neither works */
  async #findWay(): Promise<void> {
    const { clock, toPanel } = this.#options;
    const until = clock.now() + this.#bounds[this.#panel?.isGreeted ? 'holdMs' : 'firstMs'];
    this.#link = undefined;
    while (toPanel && (await this.#isPanelThere(until - clock.now()))) {
      if (this.#isEnded) return;
      try {
        this.#panel ??= toPanel(this.#eventsOf(() => this.#panel));
        return await this.#open(this.#panel);
      } catch (error) {
        if (!(error instanceof LinkLost)) throw error;
      }
    }
    await this.#startOwn();
  }

  #isPanelThere(limitMs: number): Promise<boolean> {
    const { clock, panelAnswers } = this.#options;
    const until = clock.now() + limitMs;
    const isThere = async () => this.#isEnded || panelAnswers(Math.max(until - clock.now(), POLL_MS));
    return holdsWithin(clock, isThere, { limitMs, intervalMs: POLL_MS });
  }

  async #startOwn(): Promise<void> {
    const { say, startOwn, toPanel } = this.#options;
    say('MCP Control Panel does not answer, so the bridge runs the server itself until it does.');
    const own: Link = await startOwn(this.#eventsOf(() => own));
    this.#own = own;
    if (this.#isEnded) return own.close();
    // The panel's session is given up, because the server that now runs knows nothing of it.
    void this.#panel?.close();
    this.#panel = undefined;
    try {
      await this.#open(own);
    } catch (error) {
      await own.close();
      throw error;
    }
    if (toPanel) void this.#returnToPanel(own, toPanel);
  }

  /** Makes `link` the current link, and restores the session that the client has begun. @throws when the server refuses it */
  async #open(link: Link): Promise<void> {
    if (!link.isGreeted) await this.#state.restore(link);
    this.#link = link;
  }

  /** Returns from the bridge's own server to the panel, once it responds and no request is in progress. Never rejects. */
  async #returnToPanel(own: Link, toPanel: NonNullable<Ways['toPanel']>): Promise<void> {
    const { clock, panelAnswers, say } = this.#options;
    const canMove = () => this.#link === own && this.#pending.size + this.#asks.size === 0 && !this.#isEnded;
    let refusal: unknown;
    while (this.#link === own && !this.#isEnded && (refusal === undefined || refusal instanceof LinkLost)) {
      await delay(clock, this.#bounds.lookMs);
      if (!canMove() || !this.#state.isGreeted || !(await panelAnswers(this.#bounds.firstMs))) continue;
      const panel: Link = toPanel(this.#eventsOf(() => panel));
      refusal = await this.#state.restore(panel).catch((error: unknown) => error);
      // Meanwhile the client may have sent a call to the process, which is still in use.
      if (refusal !== undefined || !canMove()) {
        await panel.close();
        continue;
      }
      this.#panel = this.#link = panel;
      say('MCP Control Panel answers again and runs the server.');
      return own.close();
    }
    if (this.#link === own && !this.#isEnded)
      say(`MCP Control Panel refused the session: ${messageOf(refusal)}`);
  }

  #eventsOf(link: () => Link | undefined): LinkEvents {
    return {
      onLine: (line) => this.#heard(line, link()),
      onEnd: (why) => this.#ended(link(), why),
    };
  }

  async #heard(line: Line, link: Link | undefined): Promise<void> {
    const { id, method, params } = line.message;
    if (!link || this.#state.heard(line, link)) return;
    // Messages of a link that is still being opened, or was abandoned, are not passed to the client.
    const isAnswer = id !== undefined && method === undefined;
    if (isAnswer ? !this.#pending.delete(id) : this.#link && link !== this.#link) return;
    if (id !== undefined && method !== undefined) this.#asks.set(id, link);
    if (method === 'notifications/cancelled') this.#asks.delete(params?.['requestId'] as MessageId);
    await this.#options.toClient(line.text);
  }

  #ended(link: Link | undefined, why: string): void {
    if (!link) return;
    this.#state.lost(link, why);
    for (const [id, asker] of this.#asks) {
      if (asker !== link) continue;
      this.#asks.delete(id);
      this.#tell(lineOf({ method: 'notifications/cancelled', params: { requestId: id, reason: why } }));
    }
    if (link.kind === 'panel') return this.#link === link ? this.connect() : undefined;
    for (const [id, sentTo] of this.#pending) {
      if (sentTo !== link) continue;
      this.#pending.delete(id);
      this.#tell(outcomeUnknown(id, why));
    }
    if (this.#link === link) this.#link = undefined;
  }

  /** Answers a request that was not sent with an error. A notification is dropped. */
  #refuse({ message: { id } }: Line, why: string): void {
    if (id !== undefined) this.#tell(notDone(id, why));
  }

  #tell({ text }: Line): void {
    void this.#options.toClient(text);
  }
}
