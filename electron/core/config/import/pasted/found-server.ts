import type { JsonObject } from '../../../../../shared/json-object.ts';
import type { AskHints } from '../entry-asks.ts';

/** A server as a pasted text describes it, in the words of any client. */
export interface FoundServer {
  readonly name: string;
  readonly client: JsonObject;
  readonly hints?: AskHints;
  readonly remarks?: readonly string[];
}

/** Why a text that was understood is no server. */
export interface Refusal {
  readonly path: string;
  readonly message: string;
}

export const refusal = (message: string): Refusal => ({ path: '', message });

export const isRefusal = (found: FoundServer | Refusal): found is Refusal => 'message' in found;
