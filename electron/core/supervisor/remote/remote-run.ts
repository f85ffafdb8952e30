import { PanelError } from '../../../../shared/error-codes.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import { workloadPlaceOf } from '../../../../shared/panel-settings.ts';
import type { Clock, RandomSource, WallClock } from '../../clock.ts';
import type { HostedEnd, StopGraces, StopReport } from '../../platform/hosted-run.ts';
import type { ClusterAccessDeps } from '../../platform/kubernetes/cluster-access.ts';
import type { Workload } from '../../platform/kubernetes/workload.ts';
import { settlesWithin } from '../../wait.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';
import { nothingToEnd, type Run, type RunHooks, RunLife, openConnection } from '../run/run.ts';
import { exitError, type RunPhase } from '../run/run-errors.ts';
import { StartWatch } from '../start/start-watch.ts';
import type { HttpClient, HttpClientOptions } from './http-client.ts';
import { outcomeUnknown, toRemoteError, bothFailed, nextStep } from './remote-errors.ts';
import { maskedUrl } from '../../journal/config-secrets.ts';
import { remoteTarget, type RemoteTarget } from './remote-target.ts';
import { RemoteTransport } from './remote-transport.ts';
import { createSignedFetch, type TokenSource } from './signed-fetch.ts';
import { readTlsTrust } from './tls-trust.ts';
import type { RemoteTransportKind, TransportPreferences } from './transport-preferences.ts';
import { serverKey } from '../../config/server-key.ts';

export interface RemoteRunDeps {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly reader: LongReader;
  readonly clientVersion: string;
  /** Headers of each request, by which the panel's own gateway identifies the instance. */
  readonly ownHeaders: (instance: string) => Readonly<Record<string, string>>;
  /** Transports that worked, shared by all remote servers. */
  readonly preferences: TransportPreferences;
  readonly openHttp: (options: HttpClientOptions) => HttpClient;
  /** How clusters are reached; undefined where none is. */
  readonly clusters?: (() => ClusterAccessDeps) | undefined;
  /** Tokens of the server's sign-in; undefined where its entry has a credential of its own. */
  readonly tokensOf?: ((config: RemoteServerConfig) => TokenSource | undefined) | undefined;
}

/** Milliseconds that the server gets to confirm the end of the session. */
const END_SESSION_MS = 5000;

/** One run of a remote server: its session, from the first attempt to connect until nothing of it is left. */
export class RemoteRun implements Run {
  readonly pid = undefined;
  readonly record = undefined;
  readonly #deps: RemoteRunDeps;
  readonly #config: RemoteServerConfig;
  readonly #hooks: RunHooks;
  readonly #life = new RunLife();
  #http: HttpClient | undefined;
  #transport: RemoteTransport | undefined;
  #ending: Promise<void> | undefined;
  #workload: Workload | undefined;

  constructor(deps: RemoteRunDeps, config: RemoteServerConfig, hooks: RunHooks) {
    this.#deps = deps;
    this.#config = config;
    this.#hooks = hooks;
  }

  get connection(): McpConnection | undefined {
    return this.#life.connection;
  }
  get host(): Run['host'] {
    return this.#workload?.host;
  }
  get figures(): Run['figures'] {
    return this.#life.phase === 'over' ? undefined : this.#workload?.figures;
  }

  /**
   * After a rejection the caller still calls `end`. @throws PanelError of the connection; STOPPED if ended; START_FAILED for a
   * cluster that refuses, or has no pod that is ready
   */
  async launch(): Promise<void> {
    const { clock, random, preferences, openHttp } = this.#deps;
    const target = remoteTarget(this.#config);
    const tls = await readTlsTrust(this.#config);
    this.#life.throwIfOver();
    const onTimeout = (error: PanelError) => this.#life.close(this.#startTimeout(error));
    const startWatch = new StartWatch({ clock, settings: this.#hooks.settings, onTimeout });
    this.#life.startWatch = startWatch;
    try {
      const dial = await this.#findPod();
      this.#life.throwIfOver();
      const http = (this.#http = openHttp({ tls, dial }));
      this.#life.throwIfOver();
      await connectRemote({
        config: this.#config,
        clock,
        random,
        preferences,
        attempt: (kind) => this.#attempt(kind, target, http),
        leftMs: () => startWatch.leftMs,
        onProgress: () => startWatch.progressed(),
        signal: this.#life.signal,
      });
    } catch (error) {
      throw this.#life.endError ?? error;
    } finally {
      startWatch.dispose();
    }
    this.#life.throwIfOver();
  }

  sampled(): void {
    // The panel does not own a remote server's processes.
  }

  /** Ends the session; pending requests reject with `error` at once. Informs the server if the session was up. */
  async end(_graces: StopGraces, error: PanelError): Promise<StopReport> {
    // Before the handshake the server may be slow to answer, and there is no session to end.
    const isOrderly = this.#life.phase === 'up';
    this.#life.close(error);
    this.#ending ??= this.#release(isOrderly);
    await this.#ending;
    return nothingToEnd;
  }

  /** Ends the session as `end` does, but without informing the server; also shortens an `end` in progress. */
  async kill(error: PanelError): Promise<StopReport> {
    this.#life.close(error);
    await this.#abortAll();
    await this.#ending;
    return nothingToEnd;
  }

  /** Finds the pod of a server in a cluster. @returns what makes connections to it; undefined where the URL is used as it stands */
  async #findPod(): Promise<Workload['dial']> {
    const place = workloadPlaceOf(this.#config.panel.runOn);
    if (place === undefined || !this.#deps.clusters) return undefined;
    const { Workload: Opened } = await import('../../platform/kubernetes/workload.ts');
    this.#life.throwIfOver();
    const workload = (this.#workload = new Opened(place, this.#deps.clusters(), {
      onChange: () => this.#hooks.onHosted(),
      onLine: (line) => this.#hooks.onStderr(line),
      onWait: (words) => {
        this.#life.startWatch?.progressed();
        this.#hooks.onPulling?.(words);
      },
      onOver: (end) => this.#podOver(end),
    }));
    const { signal } = this.#life;
    const failure = await this.#life.untilClosed(workload.open(signal));
    if (failure) throw this.#endError(failure, 'starting');
    return workload.dial;
  }

  /** The session went with its container. */
  #podOver(end: HostedEnd): void {
    const { connection, phase } = this.#life;
    if (phase !== 'up' || connection === undefined) return;
    const error = this.#endError(end, phase);
    this.#life.fail(error);
    connection.end(error, outcomeUnknown(error));
    this.#hooks.onCrashed(error);
  }

  #endError(end: HostedEnd, phase: RunPhase): PanelError {
    const launch = { command: '', args: [], env: {}, environment: {} };
    return exitError(end, phase, this.#hooks.stderrTail(), launch);
  }

  async #attempt(kind: RemoteTransportKind, target: RemoteTarget, http: HttpClient): Promise<void> {
    this.#life.throwIfOver();
    const { clock, reader, tokensOf, wallClock } = this.#deps;
    const tokens = tokensOf?.(this.#config);
    const transport = new RemoteTransport({
      ...target,
      headers: { ...this.#deps.ownHeaders(this.#config.name), ...target.headers },
      kind,
      fetch: tokens ? createSignedFetch(http.fetch, tokens, target.url.origin) : http.fetch,
      reader,
      clock,
      wallClock,
      onBytes: () => this.#life.startWatch?.progressed(),
      onReplyLost: (id, error) => connection.lose(id, error),
      onLost: (error) => this.#lost(connection, error),
      onMalformed: (noise) => this.#hooks.onMalformed(noise),
    });
    const connection = openConnection(transport, this.#deps, this.#hooks);
    this.#transport = transport;
    this.#life.connection = connection;
    try {
      await connection.connect(this.#life.signal);
      this.#life.throwIfOver();
      transport.established();
      this.#life.up();
    } catch (error) {
      this.#transport = this.#life.endError ? transport : undefined;
      if (!this.#life.endError) await transport.abort();
      throw this.#toStartError(error);
    }
  }

  /** Handles the loss of the session: during the start it fails only the attempt; once the run is up, it ends the run. */
  #lost(connection: McpConnection, error: PanelError): void {
    if (this.#life.phase === 'over') return;
    const wasUp = this.#life.phase === 'up';
    if (wasUp) this.#life.fail(error);
    connection.end(error, outcomeUnknown(error));
    if (wasUp) void this.#tellCrash(error);
  }

  /** Tells the loss, with what the cluster knows of it. */
  async #tellCrash(error: PanelError): Promise<void> {
    const end = this.#workload && (await this.#workload.explain());
    // Ended on request meanwhile.
    if (this.#ending === undefined) this.#hooks.onCrashed(end ? this.#endError(end, 'up') : error);
  }

  async #release(isOrderly: boolean): Promise<void> {
    const transport = this.#transport;
    if (isOrderly && transport?.sessionId !== undefined)
      await settlesWithin(this.#deps.clock, transport.endSession(), END_SESSION_MS);
    await this.#abortAll();
  }

  async #abortAll(): Promise<void> {
    await this.#transport?.abort();
    this.#http?.close();
    this.#workload?.dispose();
  }

  /** Replaces the connection's texts on commands and stderr, which a remote server does not have. */
  #toStartError(error: unknown): unknown {
    const isHandshake = error instanceof PanelError && error.code === 'PROTOCOL_ERROR' && !error.data;
    return isHandshake ? toRemoteError(error.cause, maskedUrl(this.#config.url)) : error;
  }

  #startTimeout({ message, data, short }: PanelError): PanelError {
    return new PanelError('START_TIMEOUT', message, {
      data: { ...data, url: maskedUrl(this.#config.url) },
      remedy: 'Check that the server answers, or allow its start more time in its configuration.',
      short,
    });
  }
}

interface ConnectRemoteOptions {
  readonly config: RemoteServerConfig;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly preferences: TransportPreferences;
  /** Makes one handshake over this kind of transport. If it rejects, with a PanelError, it leaves nothing open. */
  readonly attempt: (kind: RemoteTransportKind) => Promise<void>;
  readonly leftMs: () => number;
  /** Called at each attempt and repeatedly during a wait, because neither of them is inactivity. */
  readonly onProgress: () => void;
  /** Aborts a wait; no attempt follows. */
  readonly signal: AbortSignal;
}

const MAX_ATTEMPTS = 3;
/** Milliseconds before the second attempt; doubled before the third. */
const FIRST_BACKOFF_MS = 500;
/** Interval of progress reports during a wait, in ms. */
const WAIT_SLICE_MS = 500;

/**
 * Connects by the transport that fits: Streamable HTTP, and SSE if the response shows an older server; SSE first if SSE worked
 * before. Temporary failures are retried, up to three attempts. @throws PanelError of the last attempt; of both transports
 * when both failed
 */
export async function connectRemote(options: ConnectRemoteOptions): Promise<void> {
  const { config, preferences, signal } = options;
  const key = serverKey(config);
  const isFixed = config.transport === 'sse';
  const kind = isFixed ? 'sse' : preferences.first(key);
  try {
    await attemptRepeatedly(options, kind, MAX_ATTEMPTS);
  } catch (error) {
    // An abort by a command says nothing about the transport.
    if (signal.aborted || !(error instanceof PanelError)) throw error;
    preferences.forget(key);
    if (isFixed || !isOtherWorthTrying(kind, error)) throw error;
    await attemptOther(options, kind, error, key);
  }
}

/** Whether to try the other transport. A remembered SSE may be wrong for more reasons than that the server is now newer. */
function isOtherWorthTrying(failed: RemoteTransportKind, error: PanelError): boolean {
  return nextStep(error) === 'other-transport' || (failed === 'sse' && error.code === 'PROTOCOL_ERROR');
}

async function attemptOther(
  options: ConnectRemoteOptions,
  failed: RemoteTransportKind,
  cause: PanelError,
  key: string,
): Promise<void> {
  const other = failed === 'http' ? 'sse' : 'http';
  try {
    // The fallback is a guess, so SSE gets one attempt.
    await attemptRepeatedly(options, other, other === 'sse' ? 1 : MAX_ATTEMPTS);
    options.preferences.learn(key, other);
  } catch (error) {
    if (options.signal.aborted || !(error instanceof PanelError)) throw error;
    const [http, sse] = failed === 'http' ? [cause, error] : [error, cause];
    throw bothFailed(maskedUrl(options.config.url), { http, sse, last: error });
  }
}

async function attemptRepeatedly(
  options: ConnectRemoteOptions,
  kind: RemoteTransportKind,
  maxAttempts: number,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    options.onProgress();
    try {
      return await options.attempt(kind);
    } catch (error) {
      const isRepeatable = error instanceof PanelError && nextStep(error) === 'retry';
      if (!isRepeatable || attempt === maxAttempts || options.signal.aborted) throw error;
      const waitMs = waitBefore(attempt, error, options.random);
      if (waitMs >= options.leftMs()) throw error;
      await wait(options, waitMs);
      if (options.signal.aborted) throw error;
    }
  }
}

/** Returns the larger of the server's `Retry-After` and a backoff: random between half and all of 500 ms × 2ⁿ. */
function waitBefore(attempt: number, { data }: PanelError, random: RandomSource): number {
  const ceilingMs = FIRST_BACKOFF_MS * 2 ** (attempt - 1);
  const backoffMs = ceilingMs / 2 + (random() * ceilingMs) / 2;
  const asked = data?.['retryAfterMs'];
  return Math.max(backoffMs, typeof asked === 'number' ? asked : 0);
}

async function wait({ clock, signal, onProgress }: ConnectRemoteOptions, waitMs: number): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const untilMs = clock.now() + waitMs;
  for (let leftMs = waitMs; leftMs > 0; leftMs = untilMs - clock.now()) {
    if (await settlesWithin(clock, aborted, Math.min(leftMs, WAIT_SLICE_MS))) return;
    onProgress();
  }
}
