import { ownValue } from '../../../../shared/own-value.ts';
/** Reason of a failed connection, as Node reports it. */
export interface NetworkCause {
  readonly code: string;
  readonly words: string;
  /** Whether the request may have reached the server. */
  readonly isSent: boolean;
  /** Whether the next attempt may succeed without a change. */
  readonly isRepeatable: boolean;
}

/** System calls whose failure means that the request was not sent. */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);
/** The certificate is refused, or the other side does not speak TLS. Nothing was sent, and waiting does not help. */
const TLS_TROUBLE = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO$|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;
/** Codes of system errors, and of the client behind the global `fetch`. */
const NETWORK = /^(E[A-Z0-9_]+|UND_ERR_\w+)$/;
/** Errors of Node's own interfaces begin like system errors, but are no network errors. */
const NOT_NETWORK = /^(ERR_|EINVAL$)/;

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no network',
  EPIPE: 'the connection was closed',
};

/**
 * Returns the reason of a failed connection; undefined if `error` is no network error. Unwraps errors of `fetch` and of
 * attempts on several addresses.
 */
export function networkCauseOf(error: unknown, depth = 0): NetworkCause | undefined {
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return undefined;
  const { code, syscall, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  const inner = innerOf(error) ?? cause;
  const deeper = inner === undefined ? undefined : networkCauseOf(inner, depth + 1);
  if (deeper || typeof code !== 'string') return deeper;
  const isTls = TLS_TROUBLE.test(code);
  if (!isTls && (!NETWORK.test(code) || NOT_NETWORK.test(code))) return undefined;
  const isSent = !isTls && !BEFORE_SENDING.has(syscall);
  return { code, words: message ?? '', isSent, isRepeatable: !isTls };
}

export function describeNetworkError({ code, words, isRepeatable }: NetworkCause): string {
  if (!isRepeatable)
    return `no secure connection (${code}: ${words.replace(/\s+/g, ' ').slice(0, MAX_WORDS)})`;
  return ownValue(WORDS, code) ?? code;
}

/** Returns a sentence on how the user can fix the failed connection. */
export function remedyOf({ code }: NetworkCause): string {
  if (UNKNOWN_SIGNER.test(code)) {
    return (
      'If the server is yours, set tls.caFile in its entry to a PEM file with the certificate of the authority that ' +
      "signed the server's, or with the server's own."
    );
  }
  if (code === 'CERT_HAS_EXPIRED')
    return 'Renew the certificate of the server; compare the clocks of both machines.';
  if (code === 'CERT_NOT_YET_VALID') return 'Compare the clocks of both machines.';
  if (WRONG_NAME.test(code)) return 'Write the host into the URL by a name that its certificate has.';
  return 'Check that the server runs, that this machine is online, and that the URL is right.';
}

/** The certificate has no signer that the panel trusts. */
const UNKNOWN_SIGNER =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)|CERT_UNTRUSTED)/;
const WRONG_NAME = /^(ERR_TLS_CERT_ALTNAME_|HOSTNAME_MISMATCH)/;

const MAX_DEPTH = 5;
const MAX_WORDS = 200;

function innerOf(error: object): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined;
}
