import { createDeferred } from '../../../../electron/core/deferred.ts';
import { Emitter } from '../../../../electron/core/emitter.ts';
import type { SessionChannel } from '../../../../electron/core/gateway/upstream/callers-in-flight.ts';
import type { CapabilityClass, SessionFacts } from '../../../../electron/core/gateway/types.ts';
import { LinkCallers } from '../../../../electron/core/mcp/link-callers.ts';
import type { ServerLink } from '../../../../electron/core/sessions/server-link.ts';
import type { LoggingLevel } from '../../../../electron/core/mcp/log-level.ts';
import type { ServerNotification } from '../../../../electron/core/mcp/rpc-peer.ts';
import type { AnswerRequest, ServerRequest } from '../../../../electron/core/mcp/server-requests.ts';

/** A link whose server the test plays. */
export class FakeLink implements ServerLink {
  readonly greeting: ServerLink['greeting'];
  hasEnded = false;
  readonly pendingRequests = 0;
  readonly serving = { instance: 'one', pid: 1, openedAt: 0 };
  readonly callers = new LinkCallers();
  /** What the server was asked and told, in order: `method uri`. */
  readonly heard: string[] = [];
  /** Methods of those that the panel asked for itself. */
  readonly ownQuestions: string[] = [];
  readonly told: { method: string; params: unknown }[] = [];
  /** Levels that somebody wants now. */
  readonly levels: LoggingLevel[] = [];
  readonly notified = new Emitter<ServerNotification>();
  answer: (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>> =
    async () => ({});
  owner: AnswerRequest | undefined;
  readonly #closed = createDeferred<void>();

  constructor(capabilities: object = { logging: {}, tools: {} }) {
    this.greeting = {
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo: { name: 'fake', version: '1' },
    };
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }
  end(): void {
    this.hasEnded = true;
    this.#closed.resolve();
  }
  close = async () => this.end();

  request: ServerLink['request'] = async (method, params = {}, options = {}) => {
    if (options.isOwnQuestion) this.ownQuestions.push(method);
    const { uri = '', cursor = uri } = params as { uri?: string; cursor?: string };
    this.heard.push(`${method} ${cursor}`.trim());
    return this.answer(method, params);
  };
  requestRaw: ServerLink['requestRaw'] = async (method, params, options) => ({
    kind: 'parsed',
    result: await this.request(method, params, options),
  });
  notify: ServerLink['notify'] = async (method, params) => void this.told.push({ method, params });
  onNotification: ServerLink['onNotification'] = (listener) => this.notified.subscribe(listener);
  onRequest: ServerLink['onRequest'] = (answer) => {
    this.owner = answer;
    return () => (this.owner = undefined);
  };
  wantLogLevel: ServerLink['wantLogLevel'] = (level) => {
    this.levels.push(level);
    return () => void this.levels.splice(this.levels.indexOf(level), 1);
  };

  /** How often a client was really asked. */
  clientsAsked = 0;

  /** The server asks its client. What comes of it is text: a result, or an error's code and words. */
  ask(
    method: string,
    params: Record<string, unknown> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string> {
    const request: ServerRequest = { id: 7, method, params };
    const answered =
      this.owner?.(request, signal, () => (this.clientsAsked += 1)) ??
      Promise.reject(new Error('nobody answers'));
    return answered.then(
      (result) => JSON.stringify(result),
      (error: { code?: number; message: string }) => `${error.code ?? ''} ${error.message}`.trim(),
    );
  }
}

export function sessionFacts(
  nonce: string,
  capabilities: CapabilityClass = 'elicitation+sampling',
): SessionFacts {
  return {
    nonce,
    clientId: `client of ${nonce}`,
    server: 'one',
    protocolVersion: '2025-11-25',
    capabilities,
  };
}

/** A session that keeps what it is owed. */
export function channel(nonce: string): SessionChannel & { readonly owed: unknown[] } {
  const owed: unknown[] = [];
  return {
    facts: sessionFacts(nonce),
    isListening: false,
    owed,
    owe: (notification) => void owed.push(notification),
  };
}
