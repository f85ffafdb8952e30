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

/** The first problem has the place; the others are named behind it. */
function mergeProblems([first, ...others]: readonly ConfigProblem[]): ConfigProblem | undefined {
  if (first === undefined || others.length === 0) return first;
  const more = others.map(({ message, line }) =>
    line === undefined ? message : `${message} (line ${line})`,
  );
  return { ...first, message: [first.message, ...more].join('; ') };
}
