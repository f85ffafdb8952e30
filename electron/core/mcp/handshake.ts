import {
  InitializeResultSchema,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  type ClientCapabilities,
  type InitializeResult,
} from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../shared/error-codes.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Clock } from '../clock.ts';
import { aboutServer } from '../phrases.ts';
import { abortable, settlesWithin } from '../wait.ts';
import { parsedResult } from './long-message.ts';
import type { CallLimits, CallTerms } from './open-call.ts';
import type { OutgoingCalls } from './outgoing-calls.ts';
import { METHOD_NOT_FOUND, RpcError } from './rpc-error.ts';

/** Complete answer to `initialize`, as received. Its required fields were validated against the specification. */
export type InitializeResponse = InitializeResult;

interface HandshakeOptions {
  readonly clientVersion: string;
  readonly capabilities: ClientCapabilities;
  readonly clock: Clock;
}

/** No limits for the handshake, because the code that starts the server limits its time. */
const UNLIMITED: CallLimits = { timeoutMs: Infinity, maxTotalMs: Infinity };
const HANDSHAKE: CallTerms = { limits: UNLIMITED, allowance: UNLIMITED };

type Ask = (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>;

/**
 * Returns the function that sends the requests of a handshake. When `signal` aborts, they fail, but no cancellation is sent to
 * the server (MCP specification, cancellation).
 */
export function handshakeRequests(calls: Pick<OutgoingCalls, 'ask'>, signal: AbortSignal): Ask {
  return async (method, params) => {
    const { answer } = calls.ask(method, params, HANDSHAKE);
    return parsedResult(await abortable(answer, signal), signal);
  };
}

/**
 * Sends `initialize` and returns the result (MCP specification, lifecycle). The server chooses the protocol version, which may
 * be any that the SDK's transports support.
 * @throws PanelError PROTOCOL_ERA_UNSUPPORTED for a server that only speaks versions from 2026-07-28 on
 * @throws Error naming the fault of the initialize result; any error of `ask`
 */
export async function requestInitialize(
  ask: Ask,
  { clientVersion, capabilities, clock }: HandshakeOptions,
): Promise<InitializeResponse> {
  const clientInfo = { name: 'mcp-control-panel', version: clientVersion };
  const answer = await ask('initialize', {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities,
    clientInfo,
  }).catch(async (error: unknown) => {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    const isModern =
      LATER_CODES.has(refusal.code) ||
      (UNCLEAR_CODES.has(refusal.code) && (await answersDiscover(ask, clientInfo, clock)));
    throw isModern ? eraUnsupported(refusal, error) : error;
  });
  const { protocolVersion } = InitializeResultSchema.parse(answer);
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion))
    throw new Error(`Server's protocol version is not supported: ${protocolVersion}`);
  // Returns the answer instead of the parsed copy, because the schema strips fields that it does not know.
  return answer as InitializeResponse;
}

/**
 * Error codes with which servers that only speak protocol versions from 2026-07-28 on refuse `initialize`: mismatching headers,
 * a missing capability, an unsupported version. Some of them report an unknown method.
 */
const LATER_CODES: ReadonlySet<number> = new Set([-32020, -32021, -32022, METHOD_NOT_FOUND]);
/**
 * Error codes for an invalid request or invalid params. They are ambiguous: servers of later protocol versions also send them,
 * because they expect `_meta`. All codes in neither list mean that the server has a fault.
 */
const UNCLEAR_CODES: ReadonlySet<number> = new Set([-32600, -32602]);
/**
 * Maximum milliseconds to wait for the answer to `server/discover`, because a server of an earlier protocol version may never
 * answer a request that it does not know.
 */
const DISCOVER_MS = 2000;

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Returns the JSON-RPC error that refused `initialize`, which may also be in the body of an HTTP response 400 or 404. */
function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof RpcError) return error;
  if (!(error instanceof PanelError)) return undefined;
  const { status, rpcCode: code } = error.data ?? {};
  if (typeof code !== 'number' || (status !== 400 && status !== 404)) return undefined;
  return { code, message: messageOf(error.cause) };
}

/**
 * True if the server knows `server/discover`, a request that only servers of later protocol versions know. This is asked
 * because the code of a refused `initialize` does not show the version: the specification lets a server refuse with any code.
 */
async function answersDiscover(ask: Ask, clientInfo: object, clock: Clock): Promise<boolean> {
  let isModern = false;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const asked = ask('server/discover', { _meta }).then(
    ({ supportedVersions }) => (isModern = Array.isArray(supportedVersions)),
    (error: unknown) => {
      const { code = METHOD_NOT_FOUND } = refusalIn(error) ?? {};
      isModern = code !== METHOD_NOT_FOUND && LATER_CODES.has(code);
    },
  );
  await settlesWithin(clock, asked, DISCOVER_MS);
  return isModern;
}

function eraUnsupported({ code, message, data }: Refusal, cause: unknown): PanelError {
  const phrase = `only speaks versions of MCP that the panel does not speak; to initialize it answered: ${message}`;
  return new PanelError('PROTOCOL_ERA_UNSUPPORTED', aboutServer(phrase), {
    short: { phrase: 'only speaks versions of MCP that the panel does not speak', hasMore: true },
    data: { rpcCode: code, rpcData: data },
    cause,
  });
}
