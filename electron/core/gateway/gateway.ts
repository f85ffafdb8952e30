import { type ErrorReport, PanelError, toErrorReport } from '../../../shared/error-codes.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { ClientRegistry } from './auth/client-registry.ts';
import { type HandlerOptions, RequestHandler } from './http/request-handler.ts';
import { type GatewayLimits, gatewayLimits } from './http/limits.ts';
import type { Disposable } from '../clock.ts';
import { errnoOf } from '../errno.ts';
import { describeErrno } from '../files/file-errors.ts';
import { SerialQueue } from '../serial-queue.ts';
import { nextFreePort, openListener, openWhenFree, SLOW_SENDER_MS, type Listener } from './http/listener.ts';

/** State and address of the endpoint, for the user. */
export interface ListeningStatus {
  readonly isListening: boolean;
  /** `http://127.0.0.1:7411`, without a slash at its end. While nothing listens, it contains the port of the settings. */
  readonly url: string;
  readonly port: number;
  /** Why the gateway does not listen, or not on the port of the settings: PORT_UNAVAILABLE with `port` and `freePort`. */
  readonly error?: ErrorReport;
}

export interface GatewayOptions extends HandlerOptions {
  readonly clients: HandlerOptions['clients'] & Pick<ClientRegistry, 'tokenEnded'>;
  /** Current settings, read at the start and at `settingsChanged`. */
  readonly settings: () => Pick<Settings['gateway'], 'enabled' | 'port'>;
  /** Asks the doorkeeper, which serves the port while no panel runs, to leave it. Resolves with true if it did. Never rejects. */
  readonly askToLeave?: (port: number) => Promise<boolean>;
  /** Called after every change of `status`. Must not throw. */
  readonly onStatus: (status: ListeningStatus) => void;
  /** Limits for tests; `gatewayLimits` unless given. */
  readonly limits?: GatewayLimits;
  /** Milliseconds that a sender has for one request, its body included; 9000 unless given. */
  readonly slowSenderMs?: number;
}

/** Milliseconds before a taken port is tried again, because the program that has it may end. */
const RETRY_MS = 5000;
/** Maximum milliseconds that the system needs to free a port after the doorkeeper has left it. */
const LEAVING_MS = 200;

/** The local endpoint through which MCP clients use the servers. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #handler: RequestHandler;
  readonly #changes = new SerialQueue();
  readonly #stopListening: () => void;
  #listener: Listener | undefined;
  /** The port in the settings for which `#listener` was opened. If it is 0, `#listener` has any free port. */
  #askedPort: number | undefined;
  #error: ErrorReport | undefined;
  #retry: Disposable | undefined;
  #isStopped = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#handler = new RequestHandler({ limits: gatewayLimits, ...options });
    this.#stopListening = options.clients.tokenEnded.subscribe((id) => this.#handler.clientEnded(id));
  }

  get status(): ListeningStatus {
    const port = this.#listener?.port ?? this.#options.settings().port;
    const url = `http://127.0.0.1:${port}`;
    return {
      isListening: this.#listener !== undefined,
      url,
      port,
      ...(this.#error && { error: this.#error }),
    };
  }

  /** Number of open responses, so that a test can check that nothing leaked. */
  get openReplies(): number {
    return this.#handler.openReplies;
  }

  /** Listens if the settings say so. Never rejects: an error is in `status.error`, and listening is tried again. */
  start(): Promise<void> {
    return this.settingsChanged();
  }

  /** Applies changed settings; open connections stay if the port stays the same. Never rejects. */
  settingsChanged(): Promise<void> {
    return this.#changes.run(async () => {
      const before = JSON.stringify(this.status);
      await this.#adopt();
      if (JSON.stringify(this.status) !== before) this.#options.onStatus(this.status);
    });
  }

  /** Stops listening and ends every connection. Idempotent; never rejects. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    return this.settingsChanged();
  }

  async #adopt(): Promise<void> {
    this.#retry?.dispose();
    this.#retry = undefined;
    const { enabled, port } = this.#options.settings();
    if (this.#isStopped || !enabled) return this.#close();
    if (this.#listener && this.#askedPort === port) this.#error = undefined;
    else await this.#open(port);
  }

  /** Opens the new port before the old one is closed, so that clients keep their working port if this fails. */
  async #open(port: number): Promise<void> {
    const before = this.#listener;
    try {
      this.#listener = await this.#listen(port);
    } catch (error) {
      this.#error = await this.#report(port, error);
      this.#retry = this.#options.clock.setTimeout(() => void this.settingsChanged(), RETRY_MS);
      return;
    }
    this.#askedPort = port;
    this.#error = undefined;
    this.#handler.servesPort(this.#listener.port);
    await before?.close();
  }

  async #listen(port: number): Promise<Listener> {
    const { askToLeave, clock, limits = gatewayLimits, slowSenderMs = SLOW_SENDER_MS } = this.#options;
    const options = { port, taker: this.#handler, maxConnections: limits.connections, slowSenderMs };
    try {
      return await openListener(options);
    } catch (error) {
      // The doorkeeper uses a port only while the panel is away. So if this panel already listens on another port, it must be
      // another program that uses the new port.
      if (errnoOf(error) !== 'EADDRINUSE' || this.#listener || !(await askToLeave?.(port))) throw error;
    }
    return openWhenFree(options, { clock, withinMs: LEAVING_MS, retryMs: 1 });
  }

  async #report(port: number, error: unknown): Promise<ErrorReport> {
    const freePort = await nextFreePort(port);
    const isTaken = errnoOf(error) === 'EADDRINUSE';
    const message = isTaken
      ? `Port ${port} is used by another program, so clients cannot reach the servers there.`
      : `Port ${port} cannot be listened on: ${describeErrno(error)}.`;
    const remedy =
      freePort === undefined
        ? undefined
        : `End the program that uses it, or choose another port, such as ${freePort}, which is free.`;
    const data = { port, ...(freePort !== undefined && { freePort }) };
    return toErrorReport(new PanelError('PORT_UNAVAILABLE', message, { data, remedy }), 'PORT_UNAVAILABLE');
  }

  async #close(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#askedPort = undefined;
    this.#error = undefined;
    if (this.#isStopped) this.#handler.dispose();
    await listener?.close();
  }
}
