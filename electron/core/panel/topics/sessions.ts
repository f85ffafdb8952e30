import type { CallOutcome, CallProgress, Offer, SessionsView } from '../../../../shared/domain.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { Answers } from '../../../../shared/ipc/call.ts';
import type { ServerCall, sessionsCalls } from '../../../../shared/ipc/topics/sessions.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Clock, WallClock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import type { AnswerOrder } from '../../sessions/call-turns.ts';
import { ServerCalls } from '../../sessions/server-calls.ts';
import { readOffer } from '../../sessions/server-offer.ts';
import type { HeldLease } from '../../sessions/held-lease.ts';
import type { Slot } from '../../sessions/slot.ts';
import type { CreateInstance } from '../../sessions/further-instances.ts';
import { SharingLessons } from '../../sessions/sharing-lessons.ts';
import { Sharing, type SharingDecision } from '../../sessions/sharing-mode.ts';
import type { SupervisedServer } from '../../sessions/supervised-server.ts';
import { SupervisedSessions } from '../../sessions/supervised-sessions.ts';

export interface SessionsTopicOptions<I extends SupervisedServer> {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly fleet: { get(name: string): I; find(name: string): I | undefined };
  readonly stateChanges: {
    subscribe(listener: (change: { readonly server: string }) => void): () => void;
  };
  readonly createInstance: CreateInstance<I>;
  /** What running the servers has shown, kept from run to run. Default: nothing yet. */
  readonly lessons?: SharingLessons;
  readonly onChange: (server: string) => void;
  readonly notice: (line: string) => void;
}

/** Sessions as the panel has them: those of its servers, and the calls that its window makes over them. */
export class SessionsTopic<I extends SupervisedServer> implements Answers<typeof sessionsCalls> {
  readonly #progressed = new Emitter<CallProgress>();
  readonly #fleet: { get(name: string): I; find(name: string): I | undefined };
  readonly #sessions: SupervisedSessions<I>;
  readonly #calls: ServerCalls;
  readonly #sharing: Sharing;
  readonly #onChange: (server: string) => void;
  readonly #notice: (line: string) => void;
  readonly #closing = new AbortController();

  constructor(options: SessionsTopicOptions<I>) {
    const { clock, wallClock, fleet, stateChanges, createInstance, onChange, notice } = options;
    this.#fleet = fleet;
    this.#onChange = onChange;
    this.#notice = notice;
    this.#sharing = new Sharing({
      lessons: options.lessons ?? new SharingLessons(),
      versionOf: ({ name }) => fleet.find(name)?.connection?.greeting?.serverInfo.version,
    });
    this.#sessions = new SupervisedSessions({
      clock,
      wallClock,
      servers: {
        get: (name) => fleet.get(name),
        onStateChange: (listener) => stateChanges.subscribe(({ server }) => listener(server)),
      },
      createInstance,
      sharingOf: (config) => this.#sharing.of(config),
      onChange,
      notice,
    });
    this.#calls = new ServerCalls({
      clock,
      acquire: (contextId, name, signal, timeoutMs) => this.#acquire(contextId, name, signal, timeoutMs),
      onProgress: (progress) => this.#progressed.emit(progress),
    });
  }

  /** Progress of calls that `call` made. Returns the undo. */
  onProgress(listener: (progress: CallProgress) => void): () => void {
    return this.#progressed.subscribe(listener);
  }

  /** A server sent a request to its client. Sessions that are open stay as they are. */
  askedBack(name: string, method: string): void {
    const server = this.#fleet.find(name);
    if (server && this.#sharing.asked(server.config, method)) this.#onChange(name);
  }

  /** Calls of clients showed how the server answers those that are open at the same time. */
  answeredCalls(name: string, order: AnswerOrder): void {
    const config = this.#fleet.find(name)?.config;
    if (config?.transport !== 'stdio' || !this.#sharing.answered(config, order)) return;
    if (this.#sharing.of(config).hasSpares)
      this.#notice(`${name}: it answers one call at a time; clients whose calls wait get further processes`);
    this.#onChange(name);
  }

  /** How the server is shared, and its open sessions. @throws PanelError SERVER_UNKNOWN */
  view(name: string): SessionsView {
    return this.#sessions.view(name);
  }

  count(name: string): { sessions?: number; leases?: number } {
    return this.#sessions.count(name);
  }

  further(name: string): readonly I[] {
    return this.#sessions.further(name);
  }

  /** How a server is shared now. */
  sharingOf(config: ServerConfig): SharingDecision {
    return this.#sharing.of(config);
  }

  /** For the clients of the gateway: a hold that goes on across restarts. */
  hold(contextId: string, name: string, slot?: Slot): HeldLease {
    return this.#sessions.hold(contextId, name, slot);
  }

  /** As `SupervisedSessions.hasRoom`. */
  hasRoom(name: string, slot: Slot, reserve: number): boolean {
    return this.#sessions.hasRoom(name, slot, reserve);
  }

  /** Ends the leases of the session of that generation, and the process if it had one of its own; of an ended one: nothing. */
  evict(name: string, generation: number): Promise<void> {
    return this.#sessions.evict(name, generation);
  }

  /** Tools, prompts and resources of a running server. @throws PanelError STOPPED, or why it does not come up */
  async offer(name: string): Promise<Offer> {
    return readOffer(await this.#sessions.ownConnection(name, this.#closing.signal));
  }

  /** Starts the server if it is stopped. A call that was sent is never repeated. @throws what became of it */
  call(call: ServerCall): Promise<CallOutcome> {
    return this.#calls.call(call);
  }

  /** Tells the server, too. The call rejects with CANCELLED. */
  cancel(callId: string): void {
    this.#calls.cancel(callId);
  }

  apply(configs: readonly ServerConfig[]): void {
    this.#sessions.apply(configs);
  }

  stop(name: string): Promise<void> {
    return this.#sessions.stop(name);
  }

  endFurther(name: string): Promise<void> {
    return this.#sessions.endFurther(name);
  }

  async close(): Promise<void> {
    this.#closing.abort(new PanelError('MANAGER_CLOSED', 'The panel is quitting.'));
    await this.#sessions.close();
  }

  /** Who calls waits for a place no longer than for an answer. */
  #acquire(contextId: string, name: string, signal: AbortSignal, timeoutMs: number | undefined) {
    const { calls } = this.#fleet.get(name).config.panel;
    return this.#sessions.acquire(contextId, name, { signal, deadlineMs: timeoutMs ?? calls.timeoutMs });
  }
}
