import { cutText } from './cut-text.ts';

/** Every code a `PanelError` can carry, with the moment it is raised. Pinned by a test: codes are never renamed. */
export const errorCodes = {
  SERVER_UNKNOWN: 'A command names a server that the configuration does not hold.',
  SUPERSEDED: 'A later command for the same server took the place of this one.',
  CONFIG_BROKEN: 'The file servers.json cannot be parsed, so it is neither applied nor written.',
  CONFIG_INVALID: 'A configuration value is refused; the message holds its path.',
  COMMAND_NOT_FOUND: 'The command of a server is not an executable on the PATH that was tried.',
  PERMISSION_DENIED:
    'The command of a server may not be executed, its folder not entered, or servers.json not written.',
  CWD_MISSING: 'The working folder of a server does not exist or is not a folder.',
  START_FAILED: 'A server ended, or broke the protocol, before its handshake was complete.',
  START_TIMEOUT:
    'A server showed no sign of progress for `startTimeoutMs`, or took longer than `startMaxMs`.',
  CRASHED: 'A running server ended without being asked; data holds exit code, signal and the stderr tail.',
  STALLED: 'A running server was judged not to respond; data holds elapsed time and pending methods.',
  LIMIT_BREACHED: 'A running server stayed over a hard resource limit.',
  STOPPED: 'The server was stopped by a command while the request was under way.',
  SESSION_CLOSED: 'A lease was used after its session ended.',
  POOL_EXHAUSTED: 'No session became free before the deadline of the caller.',
  MANAGER_CLOSED: 'The session manager is shutting down and creates nothing any more.',
  OUTCOME_UNKNOWN: 'A request was sent, and its result was lost; it is never repeated by itself.',
  REQUEST_TIMEOUT: 'A request had no result by its deadline.',
  CANCELLED: 'The caller cancelled the request, or left before it was done.',
  AUTH_REQUIRED: 'A remote server refused the credential (HTTP 401 or 403).',
  UNREACHABLE: 'A remote server could not be reached.',
  PROTOCOL_ERROR: 'The other side broke the protocol.',
  CONFIG_CONFLICT: 'An entry of servers.json is no longer what the edit that is to replace it was based on.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

export interface PanelErrorOptions {
  /** Plain JSON: what a reader of the event needs (exit code, path, elapsed milliseconds, …). */
  readonly data?: Readonly<Record<string, unknown>>;
  /** What a person can do about it, one sentence. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** A message may quote a server, which may say anything at any length; it is shown in one place as a whole. */
const MAX_MESSAGE_LENGTH = 8192;

/**
 * The one error class that crosses module boundaries. Readers decide by `code`, never by `message`, of which a long one is
 * cut in its middle.
 */
export class PanelError extends Error {
  readonly code: ErrorCode;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly remedy?: string;

  constructor(code: ErrorCode, message: string, options: PanelErrorOptions = {}) {
    super(toMessage(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PanelError';
    this.code = code;
    if (options.data !== undefined) this.data = options.data;
    if (options.remedy !== undefined) this.remedy = options.remedy;
  }
}

/** The plain form in which an error is stored in events and crosses IPC. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy?: string | undefined;
}

/** `fallback` names the code for anything that is not a `PanelError` yet. */
export function toErrorReport(error: unknown, fallback: ErrorCode): ErrorReport {
  if (error instanceof PanelError) {
    return error.remedy === undefined
      ? { code: error.code, message: error.message }
      : { code: error.code, message: error.message, remedy: error.remedy };
  }
  return { code: fallback, message: toMessage(error instanceof Error ? error.message : String(error)) };
}

const toMessage = (text: string): string => cutText(text, MAX_MESSAGE_LENGTH, 'middle').text;
