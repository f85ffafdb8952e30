import type { ServerConfig } from '../../../shared/server-config.ts';
import type { FileProblem } from '../files/file-errors.ts';
import type { ParsedServers } from './parse-servers.ts';

/** The configuration that the panel currently uses. */
export interface LoadedConfig {
  /** Servers in the order of the file. */
  readonly servers: readonly ServerConfig[];
  /** Problem because of which a part of servers.json is not used; undefined if there is none. */
  readonly error?: FileProblem;
  /** Remarks, on unknown keys for example, that do not prevent the use of the file. */
  readonly notices: readonly string[];
}

/** Configuration before servers.json is first read. */
export const emptyConfig: LoadedConfig = { servers: [], notices: [] };

/**
 * Returns the configuration after servers.json was read. If the whole file is broken, the last configuration stays. An entry
 * with a problem keeps its last valid definition, if it had one.
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

/** Merges problems: the first problem gives the position; a limited number of others is listed after it. */
function mergeProblems([first, ...others]: readonly FileProblem[]): FileProblem | undefined {
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

/** Cuts a message, because names and values from the file may have any length. */
function cut(message: string): string {
  return message.length <= MAX_MESSAGE_CHARACTERS ? message : `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…`;
}
