import type { ErrorReport } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { StateKind } from '../../../shared/server-states.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import type { EndedBy } from '../supervisor/run/run-log.ts';

/** The members of `McpConnection` that sessions use. */
export type ServerProtocol = Pick<
  McpConnection,
  | 'closed'
  | 'callers'
  | 'pendingRequests'
  | 'capabilities'
  | 'greeting'
  | 'logLevel'
  | 'request'
  | 'requestRaw'
  | 'notify'
  | 'onNotification'
  | 'onRequest'
>;

/** One supervised instance of a server, with the members that sessions need. */
export interface SupervisedServer {
  readonly name: string;
  readonly config: ServerConfig;
  readonly stateKind: StateKind;
  /** True from a stop, or a request for one, until the next start. False for a server that was never started. */
  readonly wasStopped: boolean;
  /** True while the server is asleep or being put to sleep. */
  readonly sleeps: boolean;
  /** Connection of the current run while it is up; undefined in every other state. */
  readonly connection: ServerProtocol | undefined;
  readonly run: { readonly pid: number | undefined } | undefined;
  /**
   * Returns the state of the server with its last error, which is the reason why it is down. A stopped server has an error only
   * if the panel itself stopped it.
   */
  view(): {
    readonly lastError?: ErrorReport | undefined;
    readonly state: { readonly reason?: string | undefined };
  };
  /** Starts the server. @param by cause of the start: `configuration` if no caller waits for it; by default a user or client */
  start(by?: EndedBy): Promise<void>;
  /** Stops the server. @param by cause of the stop; the user by default */
  stop(by?: EndedBy): Promise<void>;
  configure(config: ServerConfig): void;
}

/** The servers of the configuration. */
export interface SupervisedServers {
  /** @throws PanelError SERVER_UNKNOWN */
  get(name: string): SupervisedServer;
  /** Calls the listener after every change of a server's state. Returns the unsubscribe function. */
  onStateChange(listener: (name: string) => void): () => void;
}
