import type { Lease } from '../../sessions/lease.ts';
import type { MessageId } from '../types.ts';
import type { CallAnswer, CallParams } from './answers.ts';
import type { ClientSessionsOptions } from './options.ts';

/** A request as received from its client. */
export interface ClientRequest {
  readonly id: MessageId;
  readonly method: string;
  readonly params?: CallParams | undefined;
}

/** Steps of a request other than the plain sending. `wireErrorOf` turns their errors into the answer. */
export interface CallSteps {
  /** Answers without the server where that is possible; resolves with undefined where it is not. */
  readonly here?: ((params: CallParams) => Promise<CallAnswer | undefined>) | undefined;
  /** Sends the request in place of the plain sending. Called at most once, with a lease whose session was open a moment ago. */
  readonly send?: (lease: Lease) => Promise<CallAnswer>;
}

/** Parts of the gateway that a call needs. */
export type CallParts = Pick<
  ClientSessionsOptions,
  'approve' | 'catalogue' | 'clock' | 'redact' | 'onTurnWaited'
>;
