import { cutText } from './cut-text.ts';
import { errorDataIn, type ErrorData, type ShortWords } from './error-data.ts';
import type { Fix } from './fix.ts';
import { messageOf } from './message-of.ts';

/** Codes of a `PanelError`, with the situation in which each is raised. A test checks that codes are never renamed. */
export const errorCodes = {
  SERVER_UNKNOWN: 'A command names a server that is not in the configuration.',
  SUPERSEDED: 'A later command for the same server replaced this one.',
  CONFIG_BROKEN: 'The file servers.json cannot be parsed, so it is neither applied nor written.',
  CONFIG_INVALID: 'A configuration value is refused; the message names its path.',
  COMMAND_NOT_FOUND: 'The command of a server is not an executable on the PATH that was tried.',
  PERMISSION_DENIED:
    'The command of a server may not be executed, its folder not entered, or servers.json not written.',
  CWD_MISSING: 'The working folder of a server does not exist or is not a folder.',
  START_FAILED: 'A server ended, or broke the protocol, before its handshake was complete.',
  START_TIMEOUT:
    'A server showed no sign of progress for `startTimeoutMs`, or took longer than `startMaxMs`.',
  CRASHED: 'A running server ended without being asked; data has the exit code, signal and the stderr tail.',
  STALLED: 'A running server was judged not to respond; data has the elapsed time and pending methods.',
  LIMIT_BREACHED: 'A running server stayed over a hard resource limit.',
  STOPPED: 'The server was stopped by a command while the request was under way.',
  SESSION_CLOSED: 'A lease was used after its session ended.',
  POOL_EXHAUSTED: 'No session became free before the deadline of the caller.',
  MANAGER_CLOSED: 'The session manager is shutting down and creates nothing new.',
  OUTCOME_UNKNOWN: 'A request was sent, and its result was lost; it is never repeated automatically.',
  REQUEST_TIMEOUT: 'A request had no result by its deadline.',
  CANCELLED: 'The caller cancelled the request, or left before it was done.',
  AUTH_REQUIRED: 'A remote server refused the credential (HTTP 401 or 403).',
  UNREACHABLE: 'A remote server could not be reached.',
  PROTOCOL_ERROR: 'The other side broke the protocol.',
  CONFIG_CONFLICT: 'An entry of servers.json is no longer the one that the edit was based on.',
  SERVER_ERROR:
    'The server itself answered a request with an error; data has its own `rpcCode` and `rpcData`.',
  PROTOCOL_ERA_UNSUPPORTED: 'The other side speaks no version of the protocol that the panel speaks.',
  PORT_UNAVAILABLE:
    'The endpoint for clients cannot listen on its port; data has `port` and, if one was found, `freePort`.',
  CLIENT_UNKNOWN: 'A command names a client that is not in clients.json.',
  PROCESS_UNKNOWN: 'A command names a process that does not belong to that server, or no longer does.',
  PROCESS_SURVIVES: 'A process that was to be ended is still running.',
  CONSENT_REQUIRED:
    'The definition of a server was written outside the panel, and nobody has agreed to it yet.',
  SECRET_MISSING:
    'A value that the definition of a server refers to is missing; data has `missing`, a list of names.',
  FILE_NOT_WRITTEN: 'A file that the user wanted to save could not be written; data has `path`.',
  SIGN_IN_REQUIRED: 'A remote server requires a sign-in, which the user does in the panel.',
  TOOL_CHANGED: 'A tool, prompt or resource is not what the user has accepted, and its call was not sent.',
  APPROVAL_REFUSED: 'The user refused a call, or did not answer in time; it was not sent.',
  TOOL_HIDDEN: 'A tool is hidden from this client, or its set does not have it; its call was not sent.',
  RUNTIME_TOO_OLD: 'A feature needs a newer Node than that on which the panel runs.',
  CANNOT_SLEEP:
    'A server was asked to sleep that is remote, does not run, or is in use; data has `why`: remote, not-running or in-use.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Remedies for the user, used if the code that raises the error has no better one. */
const remedies: Readonly<Record<ErrorCode, string>> = {
  SERVER_UNKNOWN: 'Check the name, or add the server to servers.json.',
  SUPERSEDED: 'Nothing to do: the later command decides.',
  CONFIG_BROKEN: 'Correct servers.json, or take its last good content from servers.json.bak.',
  CONFIG_INVALID: 'Correct the value that the message names.',
  COMMAND_NOT_FOUND: 'Install the command, or give its full path.',
  PERMISSION_DENIED: 'Allow this user to use what the message names.',
  CWD_MISSING: 'Create the folder, or correct "cwd" in the configuration.',
  START_FAILED: 'Run its command in a terminal to see why it does not start.',
  START_TIMEOUT: 'Wait and try again, or allow its start more time in its configuration.',
  CRASHED: 'Read its logs to see why it ended; unless it was given up, it is started again automatically.',
  STALLED: 'If it was only busy, raise "Not responding after" in its configuration.',
  LIMIT_BREACHED: 'If it needs that much, raise the limit in its configuration.',
  STOPPED: 'Start the server and try again.',
  SESSION_CLOSED: 'Ask for a new session and try again.',
  POOL_EXHAUSTED: 'End a session that is not needed, or allow more of them in its configuration.',
  MANAGER_CLOSED: 'The panel is quitting; start it again.',
  OUTCOME_UNKNOWN: 'Check whether it took effect before you repeat it.',
  REQUEST_TIMEOUT: 'Check whether the server is busy, or allow its calls more time in its configuration.',
  CANCELLED: 'Nothing to do, unless it was cancelled by mistake: then repeat it.',
  AUTH_REQUIRED: 'Put a valid credential into the "headers" of its entry.',
  UNREACHABLE: 'Check that the server runs, that this machine is online, and that the address is right.',
  PROTOCOL_ERROR: 'Look for a newer version of the server, and report it to its maker if there is none.',
  CONFIG_CONFLICT: 'Read the entry again, then edit it.',
  SERVER_ERROR: 'The server itself reports this: check the request, and the configuration of the server.',
  PROTOCOL_ERA_UNSUPPORTED: 'Update the panel or the server, so that both speak one version of the protocol.',
  PORT_UNAVAILABLE: 'End the program that uses the port, or choose another port in the settings.',
  CLIENT_UNKNOWN: 'Look at the list of clients again, or make a new one.',
  PROCESS_UNKNOWN: 'Look at the list of processes again: it has probably ended.',
  PROCESS_SURVIVES:
    'It waits for the system or belongs to another user; stop the whole server, or look at it in a terminal.',
  CONSENT_REQUIRED: 'Look at what has changed in the panel, and agree to it or take it back.',
  SECRET_MISSING: 'Enter the value in the panel, or unlock the store of secrets.',
  FILE_NOT_WRITTEN: 'Save it in another folder, or make room on the disk.',
  SIGN_IN_REQUIRED: 'Sign in to the server in MCP Control Panel.',
  TOOL_CHANGED: 'Look at what has changed in the panel, and accept it if you agree.',
  APPROVAL_REFUSED: 'Ask the user of MCP Control Panel, then call again.',
  TOOL_HIDDEN: 'Show it under Clients in MCP Control Panel.',
  RUNTIME_TOO_OLD: 'Run the panel on Node 22.15 or newer: "npm run core" does.',
  CANNOT_SLEEP: 'Wait until its calls have ended, or stop it.',
};

interface PanelErrorOptions {
  /** Data for programs that read the error, as plain JSON (exit code, path, elapsed milliseconds, …). */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Remedy for the user, one sentence; by default the remedy of the error code. */
  readonly remedy?: string | undefined;
  /** Shorter form of the message. An error that wraps another one needs its own, because the other's short form is not used. */
  readonly short?: ShortWords | undefined;
  readonly cause?: unknown;
}

/** Maximum length of a message in characters, as a message is shown in full and may quote any amount of a server's text. */
const MAX_MESSAGE_LENGTH = 8192;

/**
 * The only error class that crosses module boundaries. Code that handles errors decides by `code`, never by `message`. A long
 * message is shortened in the middle.
 */
export class PanelError extends Error {
  readonly code: ErrorCode;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly remedy: string;
  readonly short?: ShortWords;

  constructor(code: ErrorCode, message: string, options: PanelErrorOptions = {}) {
    super(toMessage(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PanelError';
    this.code = code;
    if (options.data !== undefined) this.data = options.data;
    if (options.short !== undefined) this.short = options.short;
    this.remedy = options.remedy ?? remedies[code];
  }
}

/** Plain form in which an error is stored in events and crosses IPC. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy?: string | undefined;
  /** Up to 6 lines of the server's output about the cause. */
  readonly causeLines?: readonly string[] | undefined;
  /** Remedy that a program can apply. */
  readonly fix?: Fix | undefined;
  /** Data for programs, which never parse the message. */
  readonly data?: ErrorData | undefined;
}

/** Converts any error. `fallback` is the code of an error that is not a `PanelError`; such an error has no remedy. */
export function toErrorReport(error: unknown, fallback: ErrorCode): ErrorReport {
  if (!(error instanceof PanelError)) return { code: fallback, message: toMessage(messageOf(error)) };
  const { code, message, remedy, data, short } = error;
  const reported = errorDataIn({ ...data, ...noShortWords, ...short });
  return { code, message, remedy, ...diagnosisIn(data), ...(reported && { data: reported }) };
}

/** Removes the short words from an error's data, because those of another error must not be combined with this message. */
const noShortWords = { phrase: undefined, brief: undefined, hasMore: undefined };

/** Converts an error to the detail of an event, in which the fields of the error's data are at the top level. */
export function toErrorDetail(error: unknown, fallback: ErrorCode): Omit<ErrorReport, 'data'> & ErrorData {
  const { data, ...report } = toErrorReport(error, fallback);
  return { ...report, ...data };
}

/** Returns the parts of an error's data that a report contains as fields outside its own `data`. */
function diagnosisIn(data: PanelError['data'] = {}): Pick<ErrorReport, 'causeLines' | 'fix'> {
  const { causeLines, fix } = data as Pick<ErrorReport, 'causeLines' | 'fix'>;
  const hasLines = causeLines !== undefined && causeLines.length > 0;
  return { ...(hasLines && { causeLines }), ...(fix !== undefined && { fix }) };
}

const toMessage = (text: string): string => cutText(text, MAX_MESSAGE_LENGTH, 'middle').text;
