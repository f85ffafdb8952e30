import type { WebSocket } from 'ws';
import type { Clock, Disposable } from '../../clock.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import { HttpSocket } from '../elsewhere/http-socket.ts';
import { openPodSocket, type PodSocket } from './pod-socket.ts';

const DATA = 0;
const ERROR = 1;
/** Version of the port-forward protocol that all clusters support. In it, both directions of a connection end together. */
const PROTOCOLS = ['v4.channel.k8s.io'];
/** Length in bytes of the port number that the cluster sends at the start of each channel. */
const PORT_BYTES = 2;
const MAX_WORDS = 1000;

interface PodPortOptions {
  readonly api: EngineApi;
  readonly clock: Clock;
  /** Path of the pod. */
  readonly path: string;
  readonly port: number;
  /** Converts the reason why the connection could not be made to an error for the caller. */
  readonly toError: (error: unknown) => Error;
}

/**
 * One connection to a port of a pod, through the cluster. It is like one connection of a port-forward, but without a local port
 * that other programs could use.
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
    // Without a listener, an error after the connection was given up would be thrown.
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
    // A failed write is ignored here, because the end of the connection reports what went wrong.
    this.#line?.send(DATA, part, done);
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#idle?.dispose();
    this.#line?.socket.terminate();
    done(error);
  }

  /** Emits `timeout` after `ms`, so that the agent of `node:http` ends a connection that is no longer used. */
  override setTimeout(ms: number): this {
    this.#idle?.dispose();
    this.#idle = ms > 0 ? this.#options.clock.setTimeout(() => this.emit('timeout'), ms) : undefined;
    return this;
  }

  /** Processes data of a channel. @returns false if the reader is behind, so that the socket must pause */
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
    // If nothing listens on the port, the request certainly did not arrive. ECONNREFUSED tells the caller so.
    const isRefused = !this.#hasData && this.#words.includes('refused');
    const cause = isRefused
      ? { code: 'ECONNREFUSED', syscall: 'connect' }
      : { code: 'ECONNRESET', syscall: 'read' };
    this.destroy(Object.assign(new Error(this.#words), cause));
  }
}
