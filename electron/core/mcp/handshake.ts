import {
  InitializeResultSchema,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  type ClientCapabilities,
  type InitializeResult,
} from '@modelcontextprotocol/sdk/types.js';

import { PanelError } from '../../../shared/error-codes.ts';
import { aboutServer } from '../phrases.ts';
import { METHOD_NOT_FOUND, RpcError } from './rpc-error.ts';

/** Complete answer to `initialize`, as received; its required fields have the form of the specification. */
export type InitializeResponse = InitializeResult;

export interface HandshakeOptions {
  readonly clientVersion: string;
  readonly capabilities: ClientCapabilities;
}

/**
 * Requests the initialize result (MCP specification, lifecycle). The server chooses the version: any that the SDK's
 * transports speak.
 * @throws PanelError PROTOCOL_ERA_UNSUPPORTED for a server that only speaks versions from 2026-07-28 on
 * @throws Error naming the fault of the initialize result; any error of `ask`
 */
export async function requestInitialize(
  ask: (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>,
  { clientVersion, capabilities }: HandshakeOptions,
): Promise<InitializeResponse> {
  const answer = await ask('initialize', {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities,
    clientInfo: { name: 'mcp-control-panel', version: clientVersion },
  }).catch((error: unknown) => {
    throw isOfAnotherEra(error) ? eraUnsupported(error) : error;
  });
  const { protocolVersion } = InitializeResultSchema.parse(answer);
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion))
    throw new Error(`Server's protocol version is not supported: ${protocolVersion}`);
  // The schema strips fields it does not know, so the answer itself is returned.
  return answer as InitializeResponse;
}

/** Error code of servers from 2026-07-28 on for an unsupported version in `initialize`; some report an unknown method. */
const UNSUPPORTED_VERSION = -32022;

function isOfAnotherEra(error: unknown): error is RpcError {
  return error instanceof RpcError && [UNSUPPORTED_VERSION, METHOD_NOT_FOUND].includes(error.code);
}

function eraUnsupported(cause: RpcError): PanelError {
  const phrase = `only speaks versions of MCP that the panel does not speak; to initialize it answered: ${cause.message}`;
  return new PanelError('PROTOCOL_ERA_UNSUPPORTED', aboutServer(phrase), {
    short: { phrase: 'only speaks versions of MCP that the panel does not speak', hasMore: true },
    data: { rpcCode: cause.code, rpcData: cause.data },
    cause,
  });
}
