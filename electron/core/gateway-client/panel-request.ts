import { Agent, request, type IncomingMessage } from 'node:http';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { ownValue } from '../../../shared/own-value.ts';
import { linesOf, MAX_LINE } from './wire.ts';

export interface PanelTarget {
  readonly port: number;
  readonly server: string;
  readonly token: string;
}

/**
 * Returns an agent that opens a new connection for each request. If a connection were reused, the panel might end just when a
 * request is written to it, and nobody could tell whether the panel has read the request.
 */
const agent = () => new Agent({ keepAlive: false });

/**
 * Sends one request to the panel. `answer` rejects if no response arrived. `hasConnected` returns true once there was a
 * connection, because from then on the panel may have read the request.
 */
export function openRequest(
  { port, server, token }: PanelTarget,
  method: string,
  more: Readonly<Record<string, string>>,
  body?: string,
) {
  let isConnected = false;
  const headers = {
    authorization: `Bearer ${token}`,
    accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
    ...more,
  };
  const path = serverAddress('', server);
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: agent() });
  sent.once('socket', (socket) => socket.once('connect', () => (isConnected = true)));
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
  });
  // A caller that needs no answer does not handle its rejection, which would then end the process.
  answer.catch(() => undefined);
  sent.end(body);
  return { request: sent, answer, hasConnected: () => isConnected };
}

/** Returns the `data` of each event of a stream. */
export async function* eventsIn(response: IncomingMessage): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const raw of linesOf(response, MAX_LINE)) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    else if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    }
  }
}

export async function wholeText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = ownValue(headers, name);
  return Array.isArray(value) ? value[0] : value;
}
