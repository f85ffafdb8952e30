import type { JsonObject } from '../../../../../shared/json-object.ts';
import type { AskHints } from '../entry-asks.ts';

/** A server from a pasted text, with the keys of any client. */
export interface FoundServer {
  readonly name: string;
  readonly client: JsonObject;
  readonly hints?: AskHints;
  readonly remarks?: readonly string[];
}

/** Reason why an understood text is no server. */
export interface Refusal {
  readonly path: string;
  readonly message: string;
}

export const refusedSnippet = (message: string): Refusal => ({ path: '', message });

export const isRefusal = (found: FoundServer | Refusal): found is Refusal => 'message' in found;
