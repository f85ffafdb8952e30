import { PanelError } from '../../../../shared/error-codes.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import { workloadPlaceOf } from '../../../../shared/panel-settings.ts';
import type { Clock, RandomSource, WallClock } from '../../clock.ts';
import type { HostedEnd, StopGraces, StopReport } from '../../platform/hosted-run.ts';
import type { ClusterAccessDeps } from '../../platform/kubernetes/cluster-access.ts';
import type { Workload } from '../../platform/kubernetes/workload.ts';
import { abortable, settlesWithin } from '../../wait.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';
import { nothingToEnd, type Run, type RunHooks, RunLife, openConnection } from '../run/run.ts';
import { exitError, type RunPhase } from '../run/run-errors.ts';
import { StartWatch } from '../start/start-watch.ts';
import type { HttpClient, HttpClientOptions } from './http-client.ts';
import { connectRemote } from './connect-remote.ts';
import { outcomeUnknown, toRemoteError } from './remote-errors.ts';
import { maskedUrl } from '../../journal/config-secrets.ts';
import { remoteTarget, type RemoteTarget } from './remote-target.ts';
import { RemoteTransport } from './remote-transport.ts';
import { createSignedFetch, type TokenSource } from './signed-fetch.ts';
import { readTlsTrust } from './tls-trust.ts';
import type { RemoteTransportKind, TransportPreferences } from './transport-preferences.ts';

export interface RemoteRunDeps {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly reader: LongReader;
  readonly clientVersion: string;
  /** Returns headers that are added to each request. They show the panel's own gateway which instance sent the request. */
  readonly ownHeaders: (instance: string) => Readonly<Record<string, string>>;
  /** Transports that have worked before, shared by all remote servers. */
  readonly preferences: TransportPreferences;
  readonly openHttp: (options: HttpClientOptions) => HttpClient;
  /** Returns what is needed to reach Kubernetes clusters; undefined if no cluster can be reached. */
  readonly clusters?: (() => ClusterAccessDeps) | undefined;
  /** Returns the source of the tokens from the user's sign-in at the server; undefined if its entry contains a credential. */
  readonly tokensOf?: ((config: RemoteServerConfig) => TokenSource | undefined) | undefined;
}

/** Milliseconds that the server gets to confirm the end of the session. */
const END_SESSION_MS = 5000;

/** One run of a remote server: its session, from the first attempt to connect until nothing of the session is left. */
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
   * If it rejects, the caller must still call `end`. @throws PanelError of the connection; STOPPED if ended; START_FAILED for a
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

  /** Ends the session; pending requests reject with `error` immediately. Informs the server if the session was up. */
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

  /**
   * Finds the pod of a server that runs in a cluster. @returns the function that opens connections to the pod; undefined if the
   * server is reached directly by its URL
   */
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
    const failure = await abortable(workload.open(signal), signal);
    if (failure) throw this.#endError(failure, 'starting');
    return workload.dial;
  }

  /** Handles the end of the pod's container, with which the session ended. */
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

  /**
   * Handles the loss of the session. During the start, it fails only the current attempt; once the run is up, it ends the run.
   */
  #lost(connection: McpConnection, error: PanelError): void {
    if (this.#life.phase === 'over') return;
    const wasUp = this.#life.phase === 'up';
    if (wasUp) this.#life.fail(error);
    connection.end(error, outcomeUnknown(error));
    if (wasUp) void this.#tellCrash(error);
  }

  /** Reports the loss, with what the cluster knows about it. */
  async #tellCrash(error: PanelError): Promise<void> {
    const end = this.#workload && (await this.#workload.explain());
    // Nothing is reported if somebody ended the run while the cluster was asked.
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

  /** Replaces the connection's error texts about commands and stderr, which a remote server does not have. */
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
