import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PanelError } from '../../../../shared/error-codes.ts';
import { describeNetworkError, networkCauseOf, remedyOf } from './network-cause.ts';
import { messageOf } from '../../../../shared/message-of.ts';

/** Unsuccessful response, with the facts of its headers. */
export class HttpRefusal extends Error {
  readonly status: number;
  /** Delay in ms that the server asked for; undefined if it asked for none. */
  readonly retryAfterMs: number | undefined;
  /** URL at which the server describes its sign-in (RFC 9728). Reported, never fetched. */
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

/** Next step after a failed attempt to connect. */
export type NextStep = 'retry' | 'other-transport' | 'give-up';

/** Statuses with which a server of the older transport answers the first POST of the newer one. */
const MISMATCH: ReadonlySet<unknown> = new Set([400, 404, 405, 406]);

/**
 * Converts a failed exchange to the panel's error. `data` holds, where known, `status`, `networkCode`, `retryAfterMs`,
 * `resourceMetadataUrl`, `rpcCode`, and `isSent`: the server may have acted on the request.
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
  // The SDK names the target without user, query and fragment.
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
      // A proxy that timed out answers 502 or 504, and a handler may fail after it has acted.
      data: { ...data, isSent: status !== 429 },
      remedy: status === 429 ? 'It asks for fewer requests; wait.' : 'The server has a problem of its own.',
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
 * Returns the next step. 401 and 403 need the user; errors of the network or of an overloaded server do not mean an older
 * server.
 */
export function nextStep({ code, data }: PanelError): NextStep {
  if (code === 'UNREACHABLE') return data?.['isRepeatable'] === false ? 'give-up' : 'retry';
  return code === 'PROTOCOL_ERROR' && MISMATCH.has(data?.['status']) ? 'other-transport' : 'give-up';
}

/** Returns the error for the caller of a request. A request that may have reached the server is never reported as unsent. */
export function toCallError(error: PanelError): PanelError {
  return error.data?.['isSent'] === true ? outcomeUnknown(error) : error;
}

/** Returns the error for a request that may have been carried out. @param cause error by which the connection was lost */
export function outcomeUnknown(cause: PanelError): PanelError {
  return new PanelError(
    'OUTCOME_UNKNOWN',
    `The request was sent, and its result was lost: ${cause.message}`,
    {
      ...(cause.data && { data: cause.data }),
      remedy: 'Look whether it took effect before you repeat it.',
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

/**
 * Returns the error for a response that came, but is too long or malformed. @param fault problem of the response, as a clause
 * of a sentence
 */
export function unreadableAnswer(fault: string, data: Record<string, unknown> = {}): PanelError {
  return new PanelError('PROTOCOL_ERROR', `The answer of the server cannot be read: ${fault}.`, { data });
}

/** Returns the error for the stream of the server's messages that has ended for good. */
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

/** Returns why the session is over, from the response to a last `ping`. */
export function toLoss(error: PanelError, url: string): PanelError {
  const { status } = error.data ?? {};
  if (error.code !== 'PROTOCOL_ERROR' || typeof status !== 'number' || isRedirect(status)) return error;
  return new PanelError('CRASHED', `${url} has ended the session (HTTP ${status}).`, {
    data: error.data ?? {},
    cause: error,
  });
}

/** Returns the error when both transports have failed. The last failure decides the error code. */
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
