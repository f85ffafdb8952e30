import type { ServerConfig } from '../../../shared/server-config.ts';
import type { ConfigProblem } from './config-problem.ts';
import type { ParsedServers } from './parse-servers.ts';

/** The configuration in force. */
export interface LoadedConfig {
  /** In the order of the file. */
  readonly servers: readonly ServerConfig[];
  /** Why something that stands in the file is not in force. */
  readonly error?: ConfigProblem;
  /** Unknown keys and the like: worth telling, in force all the same. */
  readonly notices: readonly string[];
}

/** What is in force before the file was ever read. */
export const emptyConfig: LoadedConfig = { servers: [], notices: [] };

/**
 * Puts a reading of the file in force. Where the whole file is broken, everything that was in force stays; an entry
 * with a problem keeps its last good form, if it ever had one.
 */
export function applyParsed(last: LoadedConfig, parsed: ParsedServers): LoadedConfig {
  if (parsed.kind === 'broken') return { ...last, error: parsed.problem };
  const lastByName = new Map(last.servers.map((server) => [server.name, server]));
  const servers = parsed.entries.flatMap((entry) => {
    const config = 'config' in entry ? entry.config : lastByName.get(entry.name);
    return config === undefined ? [] : [config];
  });
  const error = mergeProblems(parsed.entries.flatMap((entry) => ('problem' in entry ? [entry.problem] : [])));
  return { servers, notices: parsed.notices, ...(error === undefined ? {} : { error }) };
}

/** The first problem has the place; the others are named behind it, as many as somebody reads. */
function mergeProblems([first, ...others]: readonly ConfigProblem[]): ConfigProblem | undefined {
  if (first === undefined) return undefined;
  const named = others
    .slice(0, MAX_NAMED)
    .map(({ message, line }) => (line === undefined ? cut(message) : `${cut(message)} (line ${line})`));
  const more = others.length - named.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return { ...first, message: [cut(first.message), ...named, ...rest].join('; ') };
}

const MAX_NAMED = 19;
const MAX_MESSAGE_CHARACTERS = 500;

/** Names and values of the file stand in messages, and may be of any length. */
function cut(message: string): string {
  return message.length <= MAX_MESSAGE_CHARACTERS ? message : `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…`;
}
