import type { StartedServer } from '../config/moving/copies/running-copies.ts';

/** Variables that clients set for their servers, and for everything that runs in their shells. */
const VARIABLES: readonly (readonly [client: string, names: readonly string[]])[] = [
  ['claude-code', ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID']],
  ['gemini-cli', ['GEMINI_CLI']],
  ['opencode', ['OPENCODE', 'OPENCODE_PID']],
  ['copilot-cli', ['COPILOT_AGENT_SESSION_ID']],
  ['qwen-code', ['QWEN_CODE_CLI', 'QWEN_CODE_SESSION_ID']],
  ['cline', ['CLINE_CONNECTOR_CLI_LAUNCH']],
];

/**
 * Id of the client that started a server; undefined where neither its entries nor its variables name one. A client that was
 * started in the shell of another hands on the variables of both, so that entries go first.
 */
export function clientOf(
  owners: readonly StartedServer[],
  environment: ReadonlyMap<string, string>,
): string | undefined {
  const byEntry = [...new Set(owners.map(({ program }) => program))];
  const byVariable = VARIABLES.filter(([, names]) => names.some((name) => environment.has(name))).map(
    ([client]) => client,
  );
  return only(byEntry.filter((client) => byVariable.includes(client))) ?? only(byEntry) ?? only(byVariable);
}

const only = (clients: readonly string[]): string | undefined =>
  clients.length === 1 ? clients[0] : undefined;
