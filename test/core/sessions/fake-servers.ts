import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  SessionManager,
  type AcquireOptions,
  type SessionManagerOptions,
} from '../../../electron/core/sessions/session-manager.ts';
import type { Lease } from '../../../electron/core/sessions/lease.ts';
import { LinkCallers } from '../../../electron/core/mcp/link-callers.ts';
import type { ServerLink } from '../../../electron/core/sessions/server-link.ts';
import type { SessionWarning } from '../../../electron/core/sessions/session.ts';
import { createDeferred, type Deferred } from '../../../electron/core/deferred.ts';
import { panelSettingsSchema, type PanelSettings } from '../../../shared/panel-settings.ts';
import type { RemoteServerConfig, ServerConfig, StdioServerConfig } from '../../../shared/server-config.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';

type SessionSettings = Partial<PanelSettings['sessions']>;

export function stdioConfig(name: string, fields: Partial<StdioServerConfig> = {}): StdioServerConfig {
  const panel = panelSettingsSchema.parse(undefined);
  return { name, enabled: true, panel, transport: 'stdio', command: name, args: [], env: {}, ...fields };
}

export function remoteConfig(url: string, fields: Partial<RemoteServerConfig> = {}): RemoteServerConfig {
  const panel = panelSettingsSchema.parse(undefined);
  return { name: 'remote', enabled: true, panel, transport: 'http', url, headers: {}, ...fields };
}

/** Same server with session settings of its own. */
export function withSessions(config: StdioServerConfig, sessions: SessionSettings): StdioServerConfig {
  return { ...config, panel: panelSettingsSchema.parse({ sessions }) };
}

export class FakeConnection implements ServerLink {
  pendingRequests = 0;
  hasEnded = false;
  readonly greeting = { protocolVersion: '', capabilities: {}, serverInfo: { name: 'fake', version: '1' } };
  readonly serving = { instance: 'fake', pid: 1, openedAt: 0 };
  readonly callers = new LinkCallers();
  closeCalls = 0;
  /** Gate that `close` waits for. */
  closeGate: Promise<void> | undefined;
  readonly #closed = createDeferred<void>();

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  async close(): Promise<void> {
    this.closeCalls += 1;
    await this.closeGate;
    this.crash();
  }
  request = () => Promise.resolve({});
  requestRaw = () => Promise.resolve({ kind: 'parsed' as const, result: {} });
  notify = () => Promise.resolve();
  onNotification = () => () => undefined;
  onRequest = () => () => undefined;
  wantLogLevel = () => () => undefined;

  /** Ends the connection by itself. */
  crash(): void {
    this.hasEnded = true;
    this.#closed.resolve();
  }
}

/** A lease of a fake connection. */
export type FakeLease = Lease & { readonly connection: FakeConnection };

/** Attempt of one call of `connect`. */
interface Attempt {
  readonly config: ServerConfig;
  readonly signal: AbortSignal;
  readonly connection: FakeConnection;
  succeed(): void;
}

class FakeServers {
  readonly attempts: Attempt[] = [];
  /** Whether connects wait to be told how they end. */
  isParked = false;
  /** Whether connects ignore their signal. */
  ignoresAbort = false;
  readonly connect = (config: ServerConfig, signal: AbortSignal): Promise<FakeConnection> => {
    const connection = new FakeConnection();
    const outcome: Deferred<FakeConnection> = createDeferred();
    const succeed = () => outcome.resolve(connection);
    this.attempts.push({ config, signal, connection, succeed });
    if (!this.ignoresAbort) signal.addEventListener('abort', () => outcome.reject(signal.reason));
    if (!this.isParked) succeed();
    return outcome.promise;
  };

  attempt(index: number): Attempt {
    const attempt = this.attempts[index];
    if (!attempt) throw new Error(`there are ${this.attempts.length} connects, none with index ${index}`);
    return attempt;
  }
}

type Options = Partial<Omit<SessionManagerOptions, 'connect' | 'clock'>>;

export const IDLE_MS = 1000;
export const SWEEP_MS = 100;
export const CLOSE_MS = 500;

/** Manager between fake servers and a fake clock, and everything that was leased from it. */
export class Harness {
  readonly clock: FakeClock = createFakeClock();
  readonly servers = new FakeServers();
  readonly warnings: SessionWarning[] = [];
  readonly leases: FakeLease[] = [];
  readonly manager: SessionManager;

  constructor(options: Options = {}) {
    this.manager = new SessionManager({
      connect: this.servers.connect,
      clock: this.clock,
      idleTimeoutMs: IDLE_MS,
      sweepIntervalMs: SWEEP_MS,
      closeTimeoutMs: CLOSE_MS,
      onWarning: (warning) => this.warnings.push(warning),
      ...options,
    });
  }

  get connects(): number {
    return this.servers.attempts.length;
  }

  async acquire(contextId: string, config: ServerConfig, options?: AcquireOptions): Promise<FakeLease> {
    const lease = (await this.manager.acquire(contextId, config, options)) as FakeLease;
    this.leases.push(lease);
    return lease;
  }

  /** Outcome of an acquire: the code of the error, or "leased" when there is a lease after all. */
  outcome(contextId: string, config: ServerConfig, options?: AcquireOptions): Promise<unknown> {
    return this.acquire(contextId, config, options).then(
      () => 'leased',
      (error: unknown) => (error as { code?: string }).code ?? error,
    );
  }

  /**
   * Releases everything and lets all sessions run idle. Nothing may be left then: no key, no timer, no
   * connection.
   */
  async expectNothingLeft(): Promise<void> {
    await Promise.all(this.leases.map((lease) => lease.release()));
    await this.clock.advance(IDLE_MS + 2 * SWEEP_MS + CLOSE_MS);
    await turn();
    expect(this.manager.size).toBe(0);
    expect(this.clock.pending).toBe(0);
    expect(this.servers.attempts.filter(({ connection }) => connection.closeCalls > 1)).toEqual([]);
  }
}

/** Runs everything that needs no time. */
export const turn = () => setImmediate();
