import type { GatewayOptions, GatewayStatus } from './gateway-options.ts';

/** The local endpoint through which other programs use the servers. */
export class Gateway {
  readonly #options: GatewayOptions;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  get status(): GatewayStatus {
    const { port } = this.#options.settings();
    return { isListening: false, url: `http://127.0.0.1:${port}`, port };
  }

  /** Listens where the settings say so. Never rejects: what is in the way stands in `status.error`. */
  async start(): Promise<void> {}

  /** The settings may be others: takes them up without touching what stays the same. Never rejects. */
  async settingsChanged(): Promise<void> {}

  /** Ends every connection, and listens no more. Idempotent; never rejects. */
  async stop(): Promise<void> {}
}
