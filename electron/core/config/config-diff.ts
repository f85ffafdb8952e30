import { isDeepStrictEqual } from 'node:util';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';

/** Names of the servers that differ between two configurations, each in one list only. */
export interface ConfigDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** What is reached, or how, has changed: the server has to be started anew. */
  readonly reconnect: readonly string[];
  /** Only the supervision settings or `disabled` have changed: applied to the running server. */
  readonly panelChanged: readonly string[];
}

export function diffConfigs(before: readonly ServerConfig[], after: readonly ServerConfig[]): ConfigDiff {
  const old = new Map(before.map((server) => [server.name, server]));
  const names = new Set(after.map((server) => server.name));
  const namesWhere = (test: (server: ServerConfig, previous: ServerConfig) => boolean) =>
    after.flatMap((server) => {
      const previous = old.get(server.name);
      return previous !== undefined && test(server, previous) ? [server.name] : [];
    });
  return {
    added: after.filter(({ name }) => !old.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !names.has(name)).map(({ name }) => name),
    reconnect: namesWhere((server, previous) => !isSameConnection(server, previous)),
    panelChanged: namesWhere(
      (server, previous) => isSameConnection(server, previous) && !isDeepStrictEqual(server, previous),
    ),
  };
}

function isSameConnection(one: ServerConfig, other: ServerConfig): boolean {
  return isDeepStrictEqual(connectionFields(one), connectionFields(other));
}
