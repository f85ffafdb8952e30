import { PanelError } from '../../../../shared/error-codes.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import type { Clock, RandomSource, WallClock } from '../../clock.ts';
import type { StopGraces, StopReport } from '../../platform/hosted-run.ts';
import { settlesWithin } from '../../wait.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';
import { openConnection } from '../run/open-connection.ts';
import { nothingToEnd, type Run, type RunHooks } from '../run/run.ts';
import { RunLife } from '../run/run-life.ts';
import { StartWatch } from '../start/start-watch.ts';
import { connectRemote } from './connect-remote.ts';
import type { HttpClient, HttpClientOptions } from './http-client.ts';
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
  /** Worker that parses messages that are too long for the main thread. */
  readonly reader: LongReader;
  readonly clientVersion: string;
  /** Headers of each request, by which the panel's own gateway identifies the instance. */
  readonly ownHeaders: (instance: string) => Readonly<Record<string, string>>;
  /** Transports that worked, shared by all remote servers. */
  readonly preferences: TransportPreferences;
  /** Opens the HTTP client, which the run closes. */
  readonly openHttp: (options: HttpClientOptions) => HttpClient;
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

  constructor(deps: RemoteRunDeps, config: RemoteServerConfig, hooks: RunHooks) {
    this.#deps = deps;
    this.#config = config;
    this.#hooks = hooks;
  }

  get connection(): McpConnection | undefined {
    return this.#life.connection;
  }

  /**
   * Connects and initializes. After a rejection the caller still calls `end`.
   * @throws PanelError AUTH_REQUIRED, UNREACHABLE, PROTOCOL_ERROR, START_TIMEOUT, CONFIG_INVALID, STOPPED if ended.
   */
  async launch(): Promise<void> {
    const { clock, random, preferences, openHttp } = this.#deps;
    const target = remoteTarget(this.#config);
    const tls = await readTlsTrust(this.#config);
    this.#life.throwIfOver();
    const http = (this.#http = openHttp({ tls }));
    this.#life.throwIfOver();
    const onTimeout = (error: PanelError) => this.#life.close(this.#startTimeout(error));
    const startWatch = new StartWatch({ clock, settings: this.#hooks.settings, onTimeout });
    this.#life.startWatch = startWatch;
    try {
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

  /** No-op, because there is no process tree. */
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
    if (wasUp) this.#hooks.onCrashed(error);
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
