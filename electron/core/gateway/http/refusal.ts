import type { RefusalReason } from '../../../../shared/gateway.ts';

/** A refusal as it is answered. */
export interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  /** Undefined for what every client does, which is told to nobody. */
  readonly reason: RefusalReason | undefined;
  /** What goes out as JSON. It holds nothing of the request. */
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose token it came with, where that is void now. */
  readonly clientName?: string;
}

/** One that implementations are free to use. */
const REFUSED = -32_000;

export interface RefusalWords {
  /** What was expected and what was found, with what to do about it. */
  readonly message: string;
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal as a JSON-RPC error that answers nobody in particular. */
export function refused(
  status: number,
  reason: RefusalReason,
  { message, code = REFUSED, headers }: RefusalWords,
): Refused {
  const body = { jsonrpc: '2.0', id: null, error: { code, message } };
  return { kind: 'refused', status, reason, body, ...(headers && { headers }) };
}
