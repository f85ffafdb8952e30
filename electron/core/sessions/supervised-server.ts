import type { ErrorReport } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { StateKind } from '../../../shared/server-states.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import type { EndedBy } from '../supervisor/run/run-log.ts';

/** The protocol as sessions use it. */
export type ServerProtocol = Pick<
  McpConnection,
  | 'closed'
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

/** One supervised instance of a server as sessions need to know it. */
export interface SupervisedServer {
  readonly name: string;
  readonly config: ServerConfig;
  readonly stateKind: StateKind;
  /** Somebody stopped it, or is about to have, and nobody has started it since; false for one that was never started. */
  readonly wasStopped: boolean;
  /** The connection of the run that is up; undefined in every other state. */
  readonly connection: ServerProtocol | undefined;
  readonly run: { readonly pid: number | undefined } | undefined;
  /** The view says why the server is down; a stopped one has a reason only where the panel itself stopped it. */
  view(): {
    readonly lastError?: ErrorReport | undefined;
    readonly state: { readonly reason?: string | undefined };
  };
  /** @param by the configuration, where nobody waits for it; a person or a client unless given */
  start(by?: EndedBy): Promise<void>;
  /** @param by who ends it; a person unless given */
  stop(by?: EndedBy): Promise<void>;
  configure(config: ServerConfig): void;
}

/** The servers of the configuration. */
export interface SupervisedServers {
  /** @throws PanelError SERVER_UNKNOWN */
  get(name: string): SupervisedServer;
  /** After every change of a server's state. Returns the undo. */
  onStateChange(listener: (name: string) => void): () => void;
}
