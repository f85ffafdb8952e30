import type { WebSocket } from 'ws';
import type { Clock, Disposable } from '../../clock.ts';
import { EngineRefusal, saidIn, type EngineApi } from '../containers/engine-api.ts';

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Maximum bytes in one message to the cluster; kubectl sends messages of at most this size. */
const PART_BYTES = 32 * 1024;
const OPEN_LIMIT_MS = 15_000;
/** Milliseconds between two pings. The connection is ended if nothing was received since the last ping. */
const BEAT_MS = 20_000;
const MAX_REFUSAL = 2000;

/** WebSocket to a pod. The first byte of each message is the number of the channel to which the rest of the message belongs. */
export interface PodSocket {
  readonly socket: WebSocket;
  /** Settles when the connection has ended. */
  readonly closed: Promise<void>;
  /** Sends bytes on a channel, in parts. @param done called when all bytes were sent, or when the connection has ended */
  readonly send: (channel: number, bytes: Buffer, done: () => void) => void;
}

/** Connects to a pod. @throws EngineRefusal if the cluster refuses, or another error if the cluster cannot be reached */
export async function openPodSocket(
  { access, agents }: EngineApi,
  path: string,
  protocols: string[],
  clock: Clock,
  onMessage: (channel: number, bytes: Buffer) => void,
): Promise<PodSocket> {
  const [{ default: Socket }, headers] = await Promise.all([import('ws'), access.headers()]);
  // The agent connects to the address of the cluster, with TLS if required; the host name in this URL is not used.
  const socket = new Socket(`ws://cluster${access.prefix ?? ''}${path}`, protocols, {
    ...{ agent: agents.streams, headers: headers as Record<string, string>, perMessageDeflate: false },
    ...{ handshakeTimeout: OPEN_LIMIT_MS, maxPayload: MAX_MESSAGE_BYTES },
  });
  let isHeard = true;
  const hear = () => void (isHeard = true);
  socket.on('message', (data: Buffer) => {
    hear();
    onMessage(data[0] ?? 0, data.subarray(1));
  });
  socket.on('pong', hear);
  let beat: Disposable | undefined;
  const listen = () => {
    beat = clock.setTimeout(() => {
      if (!isHeard) return socket.terminate();
      isHeard = false;
      socket.ping();
      listen();
    }, BEAT_MS);
  };
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      beat?.dispose();
      resolve();
    });
  });
  await opened(socket);
  listen();
  const send: PodSocket['send'] = (channel, bytes, done) => {
    if (bytes.length === 0) return done();
    for (let at = 0; at < bytes.length; at += PART_BYTES)
      socket.send(
        Buffer.concat([Buffer.of(channel), bytes.subarray(at, at + PART_BYTES)]),
        at + PART_BYTES >= bytes.length ? () => done() : undefined,
      );
  };
  return { socket, closed, send };
}

/** Settles once open. @throws EngineRefusal with the cluster's message, or another error if the cluster is not reached */
function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.on('error', reject);
    socket.once('unexpected-response', (_, response) => {
      let words = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => (words = (words + part).slice(0, MAX_REFUSAL)))
        .once('close', () => {
          reject(new EngineRefusal(saidIn(words), response.statusCode));
          socket.terminate();
        });
    });
  });
}
