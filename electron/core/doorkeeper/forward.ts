import type { IncomingMessage } from 'node:http';
import { isJsonObject } from '../../../shared/json-object.ts';
import { eventsIn, headerOf, openRequest, wholeText } from '../gateway-client/panel-request.ts';
import { notDone, outcomeUnknown } from '../gateway-client/wire.ts';
import type { Clock } from '../clock.ts';
import { OWN_RUN_HEADER, type AdmittedRequest, type GatewayReply } from '../gateway/types.ts';
import { delay } from '../wait.ts';
import type { Held } from './doorkeeper.ts';

interface ForwardOptions {
  readonly clock: Clock;
  readonly port: number;
  readonly tokenOf: (clientId: string) => string;
}

/** Milliseconds between attempts to reach the panel, which is about to listen. */
const RETRY_MS = 5;
const [SESSION, VERSION] = ['mcp-session-id', 'mcp-protocol-version'] as const;

/** Sends a kept request to the panel and passes its response on. Never rejects. @param withinMs time for the panel to listen */
export async function forward(options: ForwardOptions, held: Held, withinMs: number): Promise<void> {
  const { request, message, reply } = held;
  const untilMs = options.clock.now() + withinMs;
  const target = { port: options.port, server: request.server, token: options.tokenOf(request.client.id) };
  while (reply.isOpen) {
    const sent = openRequest(target, 'POST', headersOf(request), JSON.stringify(message));
    const ignore = reply.onGone(() => sent.request.destroy());
    try {
      return await passOn(await sent.answer, held);
    } catch {
      if (sent.hasConnected()) return lost(held, outcomeUnknown);
      if (options.clock.now() >= untilMs) return lost(held, notDone);
    } finally {
      ignore();
    }
    await delay(options.clock, RETRY_MS);
  }
}

function headersOf({ sessionId, protocolVersion, ownRun }: AdmittedRequest): Record<string, string> {
  return {
    ...(sessionId !== undefined && { [SESSION]: sessionId }),
    ...(protocolVersion !== undefined && { [VERSION]: protocolVersion }),
    ...(ownRun !== undefined && { [OWN_RUN_HEADER]: ownRun }),
  };
}

async function passOn(response: IncomingMessage, { message, reply }: Held): Promise<void> {
  const sessionId = headerOf(response, SESSION);
  if (sessionId !== undefined) reply.header('Mcp-Session-Id', sessionId);
  if (headerOf(response, 'content-type')?.startsWith('text/event-stream'))
    return passEvents(response, message.id, reply);
  const { statusCode = 500 } = response;
  const text = await wholeText(response);
  if (statusCode === 200) return reply.end([Buffer.from(text)]);
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  reply.status(statusCode, isJsonObject(body) ? body : undefined);
}

async function passEvents(response: IncomingMessage, id: unknown, reply: GatewayReply): Promise<void> {
  reply.open();
  for await (const data of eventsIn(response)) {
    const message: unknown = JSON.parse(data);
    if (!isJsonObject(message)) continue;
    if (message['id'] === id && message['method'] === undefined) return reply.end([Buffer.from(data)]);
    reply.stream(message);
  }
  reply.close();
}

/** Informs a client that waits for an answer that none will come. */
function lost({ message, reply }: Held, wordsOf: typeof notDone): void {
  if (message.id === undefined || message.method === undefined) return reply.status(202);
  const { message: told } = wordsOf(message.id, 'MCP Control Panel ended.');
  reply.end({ jsonrpc: '2.0', ...told });
}
