import { Writable } from 'node:stream';
import type { Clock } from '../../clock.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import type { OutputName } from '../elsewhere/attach-frames.ts';
import { openPodSocket } from './pod-socket.ts';

const STDIN = 0;
const STATUS = 3;
const OUTPUTS: ReadonlyMap<number, OutputName> = new Map([
  [1, 'stdout'],
  [2, 'stderr'],
]);
/** The newest protocol, and the one of clusters before 1.30. They differ in closing a channel, which the panel never does. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

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
  api: EngineApi,
  path: string,
  clock: Clock,
  onPart: (output: OutputName, part: Buffer) => void,
): Promise<PodConnection> {
  let hasStatus = false;
  const { closed, send, socket } = await openPodSocket(api, path, PROTOCOLS, clock, (channel, part) => {
    const output = OUTPUTS.get(channel);
    if (output) onPart(output, part);
    // The last word, however it ended.
    else if (channel === STATUS) hasStatus = true;
  });
  const input = new Writable({ write: (part: Buffer, _, done) => send(STDIN, part, () => done()) });
  // The end of the connection tells what went wrong.
  input.on('error', () => undefined);
  const ended = closed.then(() => {
    input.destroy();
    return hasStatus;
  });
  return {
    ...{ input, ended },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  };
}
