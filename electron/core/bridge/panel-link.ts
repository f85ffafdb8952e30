import type { ClientRequest, IncomingMessage } from 'node:http';
import { systemClock as clock } from '../platform/system-clock.ts';
import { delay, settlesWithin } from '../wait.ts';
import {
  eventsIn,
  headerOf,
  openRequest,
  wholeText,
  type PanelTarget,
} from '../gateway-client/panel-request.ts';
import {
  lineOf,
  messagesIn,
  notDone,
  type Delivery,
  type Line,
  type Link,
  type LinkEvents,
} from '../gateway-client/wire.ts';

/** Time after which an ended stream is opened again. */
const REOPEN_MS = 1000;
const CLOSE_MS = 1000;
const SESSION = 'mcp-session-id';

/** Session of the bridge with a server, through the panel. It uses Streamable HTTP, in protocol versions up to 2025-11-25. */
export class PanelLink implements Link {
  readonly kind = 'panel';
  isGreeted = false;
  readonly #target: () => PanelTarget;
  readonly #events: LinkEvents;
  #sessionId: string | undefined;
  #version: string | undefined;
  /** Settles when the next message may be sent: the previous one was answered, or, if it is a request, written completely. */
  #turn: Promise<unknown> = Promise.resolve();
  #stream: ClientRequest | undefined;
  /** Session whose stream is kept open. */
  #listening: string | undefined;
  #isClosed = false;

  /** @param target called for each request, because the port may change while the panel is not running */
  constructor(target: () => PanelTarget, events: LinkEvents) {
    this.#target = target;
    this.#events = events;
  }

  /** Sends one message after the previous one, so that a cancellation never overtakes its call. */
  async send(line: Line): Promise<Delivery> {
    const before = this.#turn;
    let passOn: () => void = () => undefined;
    this.#turn = new Promise<void>((resolve) => (passOn = resolve));
    await before;
    try {
      return await this.#post(line, passOn);
    } finally {
      passOn();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stream?.destroy();
    if (this.#sessionId === undefined) return;
    const sent = this.#open('DELETE');
    await settlesWithin(clock, sent.answer, CLOSE_MS);
    sent.request.destroy();
  }

  async #post({ message, text }: Line, passOn: () => void): Promise<Delivery> {
    const sent = this.#open('POST', text);
    // The answer to a request may take long, so the next message follows as soon as the request is written. Other messages are
    // answered immediately.
    if (message.method !== undefined && message.id !== undefined) sent.request.once('finish', passOn);
    try {
      const response = await sent.answer;
      if (response.statusCode === 404 && this.#sessionId !== undefined) return this.#forget(response);
      if (message.method === 'initialize') this.#sessionId = headerOf(response, SESSION);
      await this.#read(response, { message, text });
    } catch {
      return sent.hasConnected() ? 'lost' : 'unsent';
    }
    if (message.method === 'notifications/initialized') void this.#listen();
    return 'taken';
  }

  /** Forgets the session, because the panel no longer accepts its id: the panel has a new key, or the session was ended. */
  #forget(response: IncomingMessage): Delivery {
    response.resume();
    this.#sessionId = undefined;
    this.isGreeted = false;
    this.#stream?.destroy();
    return 'no-session';
  }

  async #read(response: IncomingMessage, { message }: Line): Promise<void> {
    const { statusCode = 0 } = response;
    if (headerOf(response, 'content-type')?.startsWith('text/event-stream'))
      for await (const data of eventsIn(response)) await this.#deliver(data);
    else {
      const text = await wholeText(response);
      if (statusCode < 300) return text === '' ? undefined : this.#deliver(text);
      if (message.id === undefined || message.method === undefined) return;
      const error = messagesIn(text)?.[0]?.message.error;
      const told = error
        ? lineOf({ id: message.id, error })
        : notDone(message.id, `MCP Control Panel said HTTP ${statusCode}.`);
      await this.#events.onLine(told);
    }
  }

  async #deliver(data: string): Promise<void> {
    // JSON strings contain no raw line breaks, so a line break can only separate tokens and may be replaced.
    const text = data.replaceAll('\n', ' ').replaceAll('\r', ' ');
    for (const line of messagesIn(text) ?? []) {
      const version = line.message.result?.['protocolVersion'];
      if (typeof version === 'string') this.#version ??= version;
      await this.#events.onLine(line);
    }
  }

  /** Keeps the stream open for messages that belong to no call, for the lifetime of the session. */
  async #listen(): Promise<void> {
    const session = this.#sessionId;
    if (session === this.#listening) return;
    this.#listening = session;
    while (!this.#isClosed && session !== undefined && session === this.#sessionId) {
      const { answer, request: stream } = this.#open('GET');
      this.#stream = stream;
      const response = await answer.catch(() => undefined);
      const isGone = response?.statusCode === 404 && session === this.#sessionId;
      if (response && isGone) this.#forget(response);
      if (isGone) return this.#events.onEnd('the panel no longer knows the session');
      if (response) await this.#readStream(response);
      if (!this.#isClosed) await delay(clock, REOPEN_MS);
    }
  }

  async #readStream(response: IncomingMessage): Promise<void> {
    try {
      for await (const data of eventsIn(response)) await this.#deliver(data);
    } catch {
      return; // The panel has ended; the stream is opened again.
    }
  }

  #open(method: 'POST' | 'GET' | 'DELETE', body?: string) {
    const more = {
      ...(this.#sessionId !== undefined && { [SESSION]: this.#sessionId }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
    return openRequest(this.#target(), method, more, body);
  }
}

/** True if a panel, or the doorkeeper that keeps its port open while it is not running, responds at this address in time. */
export async function panelAnswers(target: PanelTarget, timeoutMs: number): Promise<boolean> {
  // This request is a probe: a running panel and the doorkeeper always refuse it immediately, so any reply shows that one of
  // them is there. It needs no session and does not reach the server.
  const question = lineOf({ id: 0, method: 'server/discover', params: {} });
  const { request: asked, answer } = openRequest(target, 'POST', {}, question.text);
  const timer = clock.setTimeout(() => asked.destroy(), timeoutMs);
  try {
    const error = messagesIn(await wholeText(await answer))?.[0]?.message.error;
    return typeof error === 'object' && error !== null;
  } catch {
    return false;
  } finally {
    timer.dispose();
  }
}
