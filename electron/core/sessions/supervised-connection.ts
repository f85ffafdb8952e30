import { createDeferred } from '../deferred.ts';
import type { Connection } from './connection.ts';
import type { SessionMode } from './session-policy.ts';
import type { ServerProtocol } from './supervised-server.ts';

export interface SupervisedConnectionOptions {
  readonly protocol: ServerProtocol;
  readonly mode: SessionMode;
  /** The supervised instance that serves it. */
  readonly instance: string;
  readonly pid: number | undefined;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  /** Ends what belongs to this connection alone. */
  readonly release: () => Promise<void>;
}

/**
 * A session's hold on a supervised instance. It ends with the run below it; closing it ends what belongs to the session
 * alone: nothing for a shared one, whose process its supervisor keeps.
 */
export class SupervisedConnection implements Connection {
  readonly protocol: ServerProtocol;
  readonly mode: SessionMode;
  readonly instance: string;
  readonly pid: number | undefined;
  readonly openedAt: number;
  readonly #release: () => Promise<void>;
  readonly #closed = createDeferred<void>();
  #isOver = false;

  constructor({ protocol, mode, instance, pid, openedAt, release }: SupervisedConnectionOptions) {
    this.protocol = protocol;
    this.mode = mode;
    this.instance = instance;
    this.pid = pid;
    this.openedAt = openedAt;
    this.#release = release;
    void protocol.closed.then(() => this.#end());
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** The session has ended; what is below it may live on. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get pendingRequests(): number {
    return this.protocol.pendingRequests;
  }

  async close(): Promise<void> {
    this.#end();
    await this.#release();
  }

  #end(): void {
    this.#isOver = true;
    this.#closed.resolve();
  }
}
