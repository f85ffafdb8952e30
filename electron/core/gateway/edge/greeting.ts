import { isJsonObject } from '../../../../shared/json-object.ts';
import type { Greeting } from '../../mcp/handshake.ts';
import type { CallParams } from '../relay/call-params.ts';
import { classOf } from '../relay/client-capabilities.ts';
import type { SessionFacts } from '../types.ts';

/** Oldest first. */
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
const LATEST_VERSION = '2025-11-25';
/** Names of clients are shown, and stand in the id of their session. */
const MAX_INFO_LENGTH = 64;

export function isSpoken(version: string): boolean {
  return VERSIONS.some((spoken) => spoken === version);
}

/** The facts of a session from the params of its `initialize`; what is missing or odd there is no reason to refuse it. */
export function factsOf(
  params: CallParams,
  session: Pick<SessionFacts, 'nonce' | 'clientId' | 'server' | 'issuedAt'>,
): SessionFacts {
  const { protocolVersion: asked, capabilities, clientInfo } = params;
  const protocolVersion = typeof asked === 'string' && isSpoken(asked) ? asked : LATEST_VERSION;
  const info = infoOf(clientInfo);
  return { ...session, protocolVersion, capabilities: classOf(capabilities), ...(info && { info }) };
}

/** The server's greeting as a client of that version gets it: the server's own but for the version. */
export function greetingFor(
  greeting: Greeting,
  { protocolVersion }: SessionFacts,
  isShared: boolean,
): Greeting {
  const greeted = { ...greeting, protocolVersion };
  return isShared ? withoutTasks(greeted) : greeted;
}

/** Tasks belong to a connection: everybody who shares one could list, read and cancel those of the others. */
function withoutTasks(greeting: Greeting): Greeting {
  if (!('tasks' in greeting.capabilities)) return greeting;
  const others = Object.entries(greeting.capabilities).filter(([name]) => name !== 'tasks');
  return { ...greeting, capabilities: Object.fromEntries(others) };
}

function infoOf(clientInfo: unknown): SessionFacts['info'] {
  if (!isJsonObject(clientInfo)) return undefined;
  const [name, version] = [clientInfo['name'], clientInfo['version']].map((text) =>
    typeof text === 'string' ? text.slice(0, MAX_INFO_LENGTH) : '',
  );
  return name === undefined || name === '' ? undefined : { name, version: version ?? '' };
}
