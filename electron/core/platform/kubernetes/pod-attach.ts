import { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock, Disposable } from '../../clock.ts';
import { EngineRefusal, type EngineApi } from '../containers/engine-api.ts';
import type { OutputName } from '../elsewhere/attach-frames.ts';

/** First byte of each message: the channel that the rest belongs to. */
const STDIN = 0;
const STATUS = 3;
const OUTPUTS: ReadonlyMap<number, OutputName> = new Map([
  [1, 'stdout'],
  [2, 'stderr'],
]);
/** The newest protocol, and the one of clusters before 1.30. They differ in closing a channel, which the panel never does. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Most bytes of input in one message; kubectl sends no longer ones. */
const PART_BYTES = 32 * 1024;
const OPEN_LIMIT_MS = 15_000;
/** Milliseconds between two questions whether the other side is there; the answer to one has come before the next. */
const BEAT_MS = 20_000;
const MAX_REFUSAL = 2000;

export interface PodConnection {
  readonly input: Writable;
  /** Settles when the connection has ended, to whether the container has. */
  readonly ended: Promise<boolean>;
  pause(): void;
  resume(): void;
  close(): void;
}

/** Connects to the container of a pod. @throws EngineRefusal, or another error where the cluster is not reached */
export async function attachToPod(
  { access, agents }: EngineApi,
  path: string,
  clock: Clock,
  onPart: (output: OutputName, part: Buffer) => void,
): Promise<PodConnection> {
  const [{ default: Socket }, headers] = await Promise.all([import('ws'), access.headers()]);
  // The agent knows the address, and makes a connection with TLS where there is to be one.
  const socket = new Socket(`ws://cluster${access.prefix ?? ''}${path}`, PROTOCOLS, {
    ...{ agent: agents.streams, headers: headers as Record<string, string>, perMessageDeflate: false },
    ...{ handshakeTimeout: OPEN_LIMIT_MS, maxPayload: MAX_MESSAGE_BYTES },
  });
  let hasStatus = false;
  let isHeard = true;
  const hear = () => void (isHeard = true);
  socket.on('message', (data: Buffer) => {
    hear();
    const output = OUTPUTS.get(data[0] ?? STDIN);
    if (output) onPart(output, data.subarray(1));
    // The last word, however it ended.
    else if (data[0] === STATUS) hasStatus = true;
  });
  socket.on('pong', hear);
  const input = inputOf(socket);
  let beat: Disposable | undefined;
  const listen = () => {
    beat = clock.setTimeout(() => {
      if (!isHeard) return socket.terminate();
      isHeard = false;
      socket.ping();
      listen();
    }, BEAT_MS);
  };
  const ended = new Promise<boolean>((resolve) => {
    socket.once('close', () => {
      beat?.dispose();
      input.destroy();
      resolve(hasStatus);
    });
  });
  await opened(socket);
  listen();
  return {
    ...{ input, ended },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  };
}

/** What goes to standard input. The end of the connection tells what went wrong. */
function inputOf(socket: WebSocket): Writable {
  const input = new Writable({
    write: (part: Buffer, _, done) => {
      for (let at = 0; at < part.length; at += PART_BYTES)
        socket.send(
          Buffer.concat([Buffer.of(STDIN), part.subarray(at, at + PART_BYTES)]),
          at + PART_BYTES >= part.length ? () => done() : undefined,
        );
    },
  });
  return input.on('error', () => undefined);
}

/** @throws EngineRefusal with the words of the cluster, or another error where it is not reached */
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
          reject(new EngineRefusal(words));
          socket.terminate();
        });
    });
  });
}
