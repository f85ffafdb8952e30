import {
  InitializeResultSchema,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  type ClientCapabilities,
  type InitializeResult,
} from '@modelcontextprotocol/sdk/types.js';

/** What a server answered to `initialize`, whole and as it came; its required fields have the form of the specification. */
export type Greeting = InitializeResult;

export interface HandshakeOptions {
  readonly clientVersion: string;
  readonly capabilities: ClientCapabilities;
}

/**
 * Asks for the greeting (MCP specification, lifecycle). The server chooses the version: any that the SDK's transports speak.
 * @throws Error what is wrong with the greeting; whatever `ask` throws
 */
export async function askForGreeting(
  ask: (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>,
  { clientVersion, capabilities }: HandshakeOptions,
): Promise<Greeting> {
  const answer = await ask('initialize', {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities,
    clientInfo: { name: 'mcp-control-panel', version: clientVersion },
  });
  const { protocolVersion } = InitializeResultSchema.parse(answer);
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion))
    throw new Error(`Server's protocol version is not supported: ${protocolVersion}`);
  // The schema leaves out what it does not know.
  return answer as Greeting;
}
