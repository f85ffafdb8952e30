/** How a call of a client ended: `lost` when neither side decided it, such as by the end of the server or its deadline. */
export type RelayedOutcome = 'result' | 'error' | 'cancelled' | 'lost';

/** A call of a client that is over, whether or not it ever reached the server. */
export interface RelayedCall {
  readonly clientId: string;
  readonly clientName: string;
  readonly server: string;
  readonly method: string;
  /** The tool's or prompt's name, where the method has one. */
  readonly target?: string;
  /** From the arrival of the request, waiting for the server included. */
  readonly durationMs: number;
  readonly outcome: RelayedOutcome;
}
