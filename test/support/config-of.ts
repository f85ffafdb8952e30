import { serverEntrySchema, toServerConfig, type ServerConfig } from '../../shared/server-config.ts';

/** The server that an entry of servers.json describes, with its folder as it stands there. */
export const configOf = (entry: unknown, name = 'one'): ServerConfig =>
  toServerConfig(name, serverEntrySchema.parse(entry), (cwd) => cwd);

/** The server that a command line without quotes starts. */
export function configOfLine(commandLine: string, name = 'one'): ServerConfig {
  const [command, ...args] = commandLine.split(' ');
  return configOf({ command, args }, name);
}
