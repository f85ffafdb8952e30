import type { ClientCapabilities, Notification } from '@modelcontextprotocol/sdk/types.js';
import { PanelError, type ErrorReport } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { StateKind } from '../../../shared/server-states.ts';
import { createDeferred, type Deferred } from '../../../electron/core/deferred.ts';
import { Emitter } from '../../../electron/core/emitter.ts';
import type { ServerProtocol, SupervisedServer } from '../../../electron/core/sessions/supervised-server.ts';
import { LinkCallers } from '../../../electron/core/mcp/link-callers.ts';
import { ProtocolLogLevel } from '../../../electron/core/mcp/log-level.ts';
import type { RawResult } from '../../../electron/core/mcp/long-message.ts';
import { SupervisedSessions } from '../../../electron/core/sessions/supervised-sessions.ts';
import type { AnswerRequest } from '../../../electron/core/mcp/server-requests.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';

export class FakeProtocol implements ServerProtocol {
  pendingRequests = 0;
  readonly capabilities = {};
  /** Answer that requests wait for. */
  answer: Promise<Record<string, unknown>> = Promise.resolve({});
  readonly asked: string[] = [];
  readonly told: string[] = [];
  readonly greeting = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 'fake', version: '1' },
  };
  readonly notified = new Emitter<Notification>();
  readonly levels: string[] = [];
  readonly callers = new LinkCallers();
  readonly logLevel = new ProtocolLogLevel(async (level) => void this.levels.push(level));
  owner: AnswerRequest | undefined;
  readonly #closed = createDeferred<void>();

  get closed(): Promise<void> {
    return this.#closed.promise;
  }
  end(): void {
    this.#closed.resolve();
  }
  async requestRaw(method: string): Promise<RawResult> {
    return { kind: 'parsed', result: await this.request(method) };
  }
  async notify(method: string): Promise<void> {
    this.told.push(method);
  }
  onNotification(listener: (notification: Notification) => void): () => void {
    return this.notified.subscribe(listener);
  }
  onRequest(answer: AnswerRequest): () => void {
    if (this.owner) throw new Error('There is an owner already.');
    this.owner = answer;
    return () => (this.owner = undefined);
  }
  async request(method: string): Promise<Record<string, unknown>> {
    this.asked.push(method);
    this.pendingRequests += 1;
    try {
      return await this.answer;
    } finally {
      this.pendingRequests -= 1;
    }
  }
}

/** Supervisor whose every step the test makes. */
export class FakeServer implements SupervisedServer {
  config: ServerConfig;
  readonly name: string;
  stateKind: StateKind = 'stopped';
  connection: FakeProtocol | undefined;
  run: { pid: number } | undefined;
  lastError: ErrorReport | undefined;
  reason: string | undefined;
  starts = 0;
  stops = 0;
  /** Capabilities that a further instance was made to declare. */
  clientCapabilities: ClientCapabilities | undefined;
  /** Whether `start` waits to be told how it ends. */
  isParked = false;
  /** Gate that `stop` waits for before the process is gone. */
  stopGate: Promise<void> | undefined;
  readonly #changed: (name: string) => void;
  #starting: Deferred<void> | undefined;

  constructor(config: ServerConfig, changed: (name: string) => void) {
    this.config = config;
    this.name = config.name;
    this.#changed = changed;
  }

  get wasStopped(): boolean {
    return this.stops > 0 && ['stopping', 'stopped'].includes(this.stateKind);
  }

  get sleeps(): boolean {
    return this.stateKind === 'asleep';
  }

  view(): { lastError: ErrorReport | undefined; state: { reason: string | undefined } } {
    return { lastError: this.lastError, state: { reason: this.reason } };
  }

  start(): Promise<void> {
    this.starts += 1;
    this.#starting ??= createDeferred<void>();
    const { promise } = this.#starting;
    this.enter('starting');
    if (!this.isParked) this.becomeReady();
    return promise;
  }

  async stop(): Promise<void> {
    this.stops += 1;
    this.#takeStarting()?.reject(new PanelError('SUPERSEDED', 'stopped'));
    this.#loseConnection();
    if (this.stopGate) {
      this.enter('stopping');
      await this.stopGate;
    }
    this.enter('stopped');
  }

  configure(config: ServerConfig): void {
    this.config = config;
  }

  becomeReady(): void {
    this.connection = new FakeProtocol();
    this.run = { pid: 4242 };
    this.enter('running');
    this.#takeStarting()?.resolve();
  }

  failToStart(error: PanelError): void {
    this.enter('backoff');
    this.#takeStarting()?.reject(error);
  }

  /** Replaces the start by a later command. */
  supersedeStart(): void {
    this.enter('stopping');
    this.#takeStarting()?.reject(new PanelError('SUPERSEDED', 'was superseded by a later "restart"'));
  }

  crash(): void {
    this.#loseConnection();
    this.enter('backoff');
  }

  enter(kind: StateKind): void {
    this.stateKind = kind;
    this.#changed(this.name);
  }

  #takeStarting(): Deferred<void> | undefined {
    const starting = this.#starting;
    this.#starting = undefined;
    return starting;
  }

  #loseConnection(): void {
    this.connection?.end();
    this.connection = undefined;
    this.run = undefined;
  }
}

export interface FakeSupervision {
  readonly clock: FakeClock;
  readonly server: FakeServer;
  /** Further instances that were made, in order. */
  readonly instances: FakeServer[];
  readonly sessions: SupervisedSessions<FakeServer>;
  /** Brings a changed configuration into force. */
  readonly configure: (config: ServerConfig) => void;
  /** Stops the server as a person does. */
  readonly stop: () => Promise<void>;
  readonly changes: string[];
  readonly notices: string[];
  /** Number of listeners that wait for a change of state. */
  readonly listeners: () => number;
}

/**
 * Sessions of one fake server.
 * @param parkInstances whether further instances wait to be told how their start ends
 */
export function createFakeSupervision(config: ServerConfig, parkInstances = false): FakeSupervision {
  const clock = createFakeClock();
  const stateChanges = new Emitter<string>();
  const server = new FakeServer(config, (name) => stateChanges.emit(name));
  const instances: FakeServer[] = [];
  const changes: string[] = [];
  const notices: string[] = [];
  const sessions = new SupervisedSessions<FakeServer>({
    clock,
    wallClock: clock,
    servers: {
      get: (name) => {
        if (name === server.name) return server;
        throw new PanelError('SERVER_UNKNOWN', `There is no server "${name}".`);
      },
      onStateChange: (listener) => stateChanges.subscribe(listener),
    },
    createInstance: (instanceConfig, _server, clientCapabilities) => {
      const instance = new FakeServer(instanceConfig, () => undefined);
      instance.clientCapabilities = clientCapabilities;
      instance.isParked = parkInstances;
      instances.push(instance);
      return instance;
    },
    sharingOf: ({ panel }) => {
      const mode = panel.sessions.mode === 'exclusive' ? 'exclusive' : 'shared';
      return { mode, reason: 'setting', words: '' };
    },
    onChange: (name) => changes.push(name),
    notice: (line) => notices.push(line),
  });
  const configure = (changed: ServerConfig) => {
    server.configure(changed);
    sessions.apply([changed]);
  };
  const stop = async () => {
    await Promise.all([server.stop(), sessions.stop(server.name)]);
  };
  return {
    clock,
    server,
    instances,
    sessions,
    configure,
    stop,
    changes,
    notices,
    listeners: () => stateChanges.size,
  };
}
