import type { WebSocket } from 'ws';
import type { Clock, Disposable } from '../../clock.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import { HttpSocket } from '../elsewhere/http-socket.ts';
import { openPodSocket, type PodSocket } from './pod-socket.ts';

const DATA = 0;
const ERROR = 1;
/** The protocol of kubelets that a cluster of any age passes on. It closes both directions together. */
const PROTOCOLS = ['v4.channel.k8s.io'];
/** Bytes of the port, with which either channel begins. */
const PORT_BYTES = 2;
const MAX_WORDS = 1000;

interface PodPortOptions {
  readonly api: EngineApi;
  readonly clock: Clock;
  /** Path of the pod. */
  readonly path: string;
  readonly port: number;
  /** Explains why the connection could not be made. */
  readonly toError: (error: unknown) => Error;
}

/**
 * One connection to a port of a pod, by the cluster: what a port-forward makes for each connection to its local port, without
 * a port here that other programs could use.
 */
export class PodPort extends HttpSocket {
  readonly #options: PodPortOptions;
  #line: PodSocket | undefined;
  readonly #begun = new Set<number>();
  #hasData = false;
  #words = '';
  #idle: Disposable | undefined;

  constructor(options: PodPortOptions) {
    super({ allowHalfOpen: false });
    this.#options = options;
    // One that nobody wants any more may still fail to be made.
    this.on('error', () => undefined);
  }

  override _construct(done: (error?: Error | null) => void): void {
    const { api, clock, path, port, toError } = this.#options;
    let socket: WebSocket | undefined;
    const take = (channel: number, bytes: Buffer) => {
      if (!this.#take(channel, bytes)) socket?.pause();
    };
    openPodSocket(api, `${path}/portforward?ports=${port}`, PROTOCOLS, clock, take).then(
      (line) => {
        this.#line = line;
        socket = line.socket;
        void line.closed.then(() => this.#over());
        done();
      },
      (error: unknown) => done(toError(error)),
    );
  }

  override _read(): void {
    this.#line?.socket.resume();
  }
  override _write(part: Buffer, _: BufferEncoding, done: () => void): void {
    // The end of the connection tells what went wrong.
    this.#line?.send(DATA, part, done);
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#idle?.dispose();
    this.#line?.socket.terminate();
    done(error);
  }

  /** The agent of `node:http` ends a connection that nobody has used for so long. */
  override setTimeout(ms: number): this {
    this.#idle?.dispose();
    this.#idle = ms > 0 ? this.#options.clock.setTimeout(() => this.emit('timeout'), ms) : undefined;
    return this;
  }

  /** @returns whether more may come */
  #take(channel: number, bytes: Buffer): boolean {
    const part = this.#begun.has(channel) ? bytes : bytes.subarray(PORT_BYTES);
    this.#begun.add(channel);
    if (channel === ERROR) this.#words = (this.#words + String(part)).slice(0, MAX_WORDS);
    if (channel !== DATA || part.length === 0) return true;
    this.#hasData = true;
    return this.push(part);
  }

  #over(): void {
    if (this.#words === '') return void this.push(null);
    // Nothing has reached a port on which nothing listens.
    const isRefused = !this.#hasData && this.#words.includes('refused');
    const cause = isRefused
      ? { code: 'ECONNREFUSED', syscall: 'connect' }
      : { code: 'ECONNRESET', syscall: 'read' };
    this.destroy(Object.assign(new Error(this.#words), cause));
  }
}
