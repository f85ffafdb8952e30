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

/** What a server answered to `initialize`, whole and as it came; its required fields have the form of the specification. */
export type InitializeResponse = InitializeResult;

export interface HandshakeOptions {
  readonly clientVersion: string;
  readonly capabilities: ClientCapabilities;
}

/**
 * Asks for the greeting (MCP specification, lifecycle). The server chooses the version: any that the SDK's transports speak.
 * @throws PanelError PROTOCOL_ERA_UNSUPPORTED of a server that only speaks versions from 2026-07-28 on
 * @throws Error what is wrong with the greeting; whatever `ask` throws
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
  // The schema leaves out what it does not know.
  return answer as InitializeResponse;
}

/** What servers of the era from 2026-07-28 on say to `initialize`: their code for an unsupported version, or that there is no such method. */
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
