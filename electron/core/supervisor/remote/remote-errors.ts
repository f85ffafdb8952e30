import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PanelError } from '../../../../shared/error-codes.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { ownValue } from '../../../../shared/own-value.ts';

/** Error for an unsuccessful HTTP response, with the relevant data from its headers. */
export class HttpRefusal extends Error {
  readonly status: number;
  /** Delay in ms that the server asked for; undefined if it asked for none. */
  readonly retryAfterMs: number | undefined;
  /** URL at which the server describes its sign-in (RFC 9728). It is reported to the user but never fetched. */
  readonly resourceMetadataUrl: string | undefined;
  /** Code of the JSON-RPC error in the body. */
  readonly rpcCode: number | undefined;

  constructor(
    status: number,
    words: string,
    facts: Partial<Pick<HttpRefusal, 'retryAfterMs' | 'resourceMetadataUrl' | 'rpcCode'>>,
  ) {
    super(words);
    this.name = 'HttpRefusal';
    this.status = status;
    this.retryAfterMs = facts.retryAfterMs;
    this.resourceMetadataUrl = facts.resourceMetadataUrl;
    this.rpcCode = facts.rpcCode;
  }
}

type NextStep = 'retry' | 'other-transport' | 'give-up';

/** Statuses with which a server of the older transport may answer the first POST of the newer transport. */
const MISMATCH: ReadonlySet<unknown> = new Set([400, 404, 405, 406]);

/**
 * Converts a failed exchange to the panel's error. `data` contains, if known, `status`, `networkCode`, `retryAfterMs`,
 * `resourceMetadataUrl` and `rpcCode`, and `isSent`, which is true if the server may have acted on the request.
 * @param url redacted, because the message contains it
 */
export function toRemoteError(error: unknown, url: string): PanelError {
  if (error instanceof PanelError) return error;
  if (error instanceof HttpRefusal) return refusalError(error, url);
  if (isSdkError(error) && isRedirect(error.code)) return redirectError(error, url);
  const cause = networkCauseOf(error);
  if (cause) {
    const { code, isSent, isRepeatable } = cause;
    return new PanelError('UNREACHABLE', `${url} could not be reached: ${describeNetworkError(cause)}.`, {
      data: { url, networkCode: code, isSent, isRepeatable },
      remedy: remedyOf(cause),
      cause: error,
    });
  }
  const words = messageOf(error);
  return new PanelError(
    'PROTOCOL_ERROR',
    `${url} did not speak MCP as expected: ${words.slice(0, MAX_WORDS)}.`,
    {
      data: { url },
      remedy: 'Check that the URL is that of an MCP endpoint.',
      cause: error,
    },
  );
}

const MAX_WORDS = 300;

function isSdkError(error: unknown): error is StreamableHTTPError | SseError {
  return error instanceof StreamableHTTPError || error instanceof SseError;
}

function isRedirect(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 400;
}

function redirectError(error: StreamableHTTPError | SseError, url: string): PanelError {
  // The SDK's message contains the redirect's target without user, query and fragment.
  const target = /Redirect to (\S+)|try (\S+) instead/.exec(error.message);
  const where = target ? ` to ${target[1] ?? target[2]}` : '';
  return new PanelError('PROTOCOL_ERROR', `${url} redirects${where}, which is another origin.`, {
    data: { url, status: error.code },
    remedy: 'If you trust the new address, put it into the configuration.',
    cause: error,
  });
}

function refusalError(refusal: HttpRefusal, url: string): PanelError {
  const { status, retryAfterMs, resourceMetadataUrl, rpcCode } = refusal;
  const data = {
    url,
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    ...(rpcCode !== undefined && { rpcCode }),
  };
  if (status === 401 || status === 403) {
    return new PanelError(
      'AUTH_REQUIRED',
      `Sign-in needed: ${url} refused the credential (HTTP ${status}).`,
      {
        data,
        remedy: 'Put a valid credential into the "headers" of its entry.',
        cause: refusal,
      },
    );
  }
  const said = refusal.message === '' ? '' : `: ${refusal.message}`;
  if (status === 429 || status >= 500) {
    return new PanelError('UNREACHABLE', `${url} answered HTTP ${status}${said}.`, {
      // The server may have acted on the request: a proxy that timed out answers 502 or 504, and a handler may fail after it
      // has acted.
      data: { ...data, isSent: status !== 429 },
      remedy:
        status === 429 ? 'It asks for fewer requests; wait.' : 'The problem is on the side of the server.',
      cause: refusal,
    });
  }
  return new PanelError('PROTOCOL_ERROR', `${url} refused the request with HTTP ${status}${said}.`, {
    data,
    remedy: 'Check that the URL is that of an MCP endpoint.',
    cause: refusal,
  });
}

/**
 * Returns what to do after a failed connection attempt. After 401 and 403, only the user can help. After a network error or a
 * response of an overloaded server, the older transport is not tried, because such a failure does not show that the server is
 * older.
 */
export function nextStep({ code, data }: PanelError): NextStep {
  if (code === 'UNREACHABLE') return data?.['isRepeatable'] === false ? 'give-up' : 'retry';
  return code === 'PROTOCOL_ERROR' && MISMATCH.has(data?.['status']) ? 'other-transport' : 'give-up';
}

/** Returns the error for the caller of a request. A request that may have reached the server is never reported as unsent. */
export function toCallError(error: PanelError): PanelError {
  return error.data?.['isSent'] === true ? outcomeUnknown(error) : error;
}

/** Returns the error for a request that may have been carried out. @param cause error that ended the connection */
export function outcomeUnknown(cause: PanelError): PanelError {
  return new PanelError(
    'OUTCOME_UNKNOWN',
    `The request was sent, and its result was lost: ${cause.message}`,
    {
      ...(cause.data && { data: cause.data }),
      remedy: 'Check whether it took effect before you repeat it.',
      cause,
    },
  );
}

/** Returns the error for a reply that the server ended without a response to the request. */
export function emptyReplyError(url: string): PanelError {
  return new PanelError('UNREACHABLE', `${url} ended its reply without an answer.`, {
    data: { url, isSent: true },
    remedy: 'Something between the panel and the server may cut long replies.',
  });
}

/** Returns the error for a response that is too long or malformed. @param fault its problem, as a clause of a sentence */
export function unreadableAnswer(fault: string, data: Record<string, unknown> = {}): PanelError {
  return new PanelError('PROTOCOL_ERROR', `The answer of the server cannot be read: ${fault}.`, { data });
}

/** Returns the error for an event stream of the server that has ended permanently. */
export function lostStreamError(url: string): PanelError {
  return new PanelError('UNREACHABLE', `${url} closed the event stream.`, {
    data: { url, isSent: true },
    remedy: 'Check that the server runs.',
  });
}

/** Returns the error for a request that the server refused because it has ended the session, so nothing was done. */
export function sessionGoneError(refusal: PanelError, url: string): PanelError {
  return new PanelError('SESSION_CLOSED', `${url} has ended the session; the request was not carried out.`, {
    data: refusal.data ?? {},
    cause: refusal,
  });
}

/** Converts the error of the last `ping` to the reason why the session ended. */
export function toLoss(error: PanelError, url: string): PanelError {
  const { status } = error.data ?? {};
  if (error.code !== 'PROTOCOL_ERROR' || typeof status !== 'number' || isRedirect(status)) return error;
  return new PanelError('CRASHED', `${url} has ended the session (HTTP ${status}).`, {
    data: error.data ?? {},
    cause: error,
  });
}

/** Returns the error for a connection that failed over both transports. The last failure decides the error code. */
export function bothFailed(
  url: string,
  { http, sse, last }: { readonly http: PanelError; readonly sse: PanelError; readonly last: PanelError },
): PanelError {
  const message = `${url} accepts neither transport. Streamable HTTP: ${http.message} SSE: ${sse.message}`;
  return new PanelError(last.code, message, {
    data: { ...last.data, httpStatus: http.data?.['status'], sseStatus: sse.data?.['status'] },
    remedy: last.remedy,
    cause: new AggregateError([http, sse]),
  });
}

/** Cause of a failed connection, as Node reports it. */
interface NetworkCause {
  readonly code: string;
  readonly words: string;
  /** Whether the request may have reached the server. */
  readonly isSent: boolean;
  /** Whether the next attempt may succeed without any change. */
  readonly isRepeatable: boolean;
}

/** System calls whose failure means that the request was not sent. */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);
/** Error codes for a refused certificate, or for a peer that does not speak TLS. Nothing was sent, and waiting does not help. */
const TLS_TROUBLE = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO$|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;
/** Error codes of the system, and of the client behind the global `fetch`. */
const NETWORK = /^(E[A-Z0-9_]+|UND_ERR_\w+)$/;
/** Codes of Node's own API errors, which look like system errors but are not network errors. */
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
 * Returns the cause of a failed connection; undefined if the error is not a network error. Also searches the errors nested in
 * an error of `fetch` and in the combined error of attempts on several addresses.
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

function describeNetworkError({ code, words, isRepeatable }: NetworkCause): string {
  if (!isRepeatable)
    return `no secure connection (${code}: ${words.replace(/\s+/g, ' ').slice(0, MAX_TLS_WORDS)})`;
  return ownValue(WORDS, code) ?? code;
}

function remedyOf({ code }: NetworkCause): string {
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

/** Error codes for a certificate whose signer the panel does not trust. */
const UNKNOWN_SIGNER =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)|CERT_UNTRUSTED)/;
const WRONG_NAME = /^(ERR_TLS_CERT_ALTNAME_|HOSTNAME_MISMATCH)/;

const MAX_DEPTH = 5;
const MAX_TLS_WORDS = 200;

function innerOf(error: object): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined;
}
