import { isJsonObject, type JsonObject } from '../../../../shared/json-object.ts';
import { isBuiltIn } from '../import/read-entries.ts';
import type { IsOwnEndpoint } from '../own-endpoint.ts';
import type { ForeignProgram, ServersPlace } from '../programs/program.ts';
import type { OpenedFile } from '../programs/read-program.ts';
import { isUnreadable, serversAt, type ServersText } from '../programs/spans/servers-text.ts';
import { isSameMoved, type MovedEntry } from './moved-file.ts';
import { standsAsWritten } from './record.ts';

/** A server in a file of a program. */
export interface ForeignServer {
  readonly name: string;
  readonly scope: string;
  readonly path: string;
  readonly place: ServersPlace;
  /** The server's entry; undefined if the entry was removed. */
  readonly entry: JsonObject | undefined;
  /** Record of the move, if another program has removed the entry that the panel wrote. */
  readonly removed?: MovedEntry;
  readonly opened: ServersText;
  /** True if the server's entry leads to this panel. */
  readonly moved: boolean;
  /** True if another program has overwritten or removed the entry that the panel wrote. */
  readonly lost?: true;
  /** Scope whose entry of the same name takes precedence over this server. */
  readonly shadowedBy?: string;
}

/** Returns the servers in a program's files, including entries that the panel wrote, even if overwritten or removed since. */
export function foundServers(
  program: ForeignProgram,
  files: readonly OpenedFile[],
  records: readonly MovedEntry[],
  isOwnEndpoint: IsOwnEndpoint,
): readonly ForeignServer[] {
  const own = records.filter((record) => record.program === program.id);
  const all = files.flatMap((file) => serversOf(program, file, own, isOwnEndpoint));
  const shown = [...all.filter((server) => !isStandIn(server, own)), ...vanished(files, own, all)];
  return shown.map((server) => withShadow(withStandIn(server, all, own), all, program));
}

function serversOf(
  program: ForeignProgram,
  { file, opened }: OpenedFile,
  records: readonly MovedEntry[],
  isOwnEndpoint: IsOwnEndpoint,
): readonly ForeignServer[] {
  if (isUnreadable(opened)) return [];
  return program.places(file, opened.value).flatMap((place) =>
    [...serversAt(opened.value, place.keyPath)].flatMap(([name, entry]): ForeignServer[] => {
      if (!isJsonObject(entry) || isBuiltIn(entry)) return [];
      const at = { path: file.path, keyPath: [...place.keyPath, name] };
      const record = records.find((one) => isSameMoved(one, at));
      const moved =
        isOwnEndpoint(JSON.stringify(entry)) || (record !== undefined && standsAsWritten(opened, record));
      const lost = record !== undefined && !moved;
      const { scope } = place;
      return [{ name, scope, path: file.path, place, entry, opened, moved, ...(lost && { lost }) }];
    }),
  );
}

/**
 * True for an entry of the panel in the user's file that takes precedence over an entry in a project's file, which the panel
 * never writes. Only the project's entry is shown.
 */
function isStandIn({ path, place, name, scope }: ForeignServer, records: readonly MovedEntry[]): boolean {
  const at = { path, keyPath: [...place.keyPath, name] };
  return records.some((record) => isSameMoved(record, at) && record.scope !== scope);
}

function withStandIn(
  server: ForeignServer,
  all: readonly ForeignServer[],
  records: readonly MovedEntry[],
): ForeignServer {
  const { instead } = server.place;
  if (instead === undefined) return server;
  const at = { path: instead.path, keyPath: [...instead.keyPath, server.name] };
  const record = records.find((one) => isSameMoved(one, at));
  if (record === undefined) return server;
  const standIn = all.find(({ scope, name }) => scope === instead.scope && name === server.name);
  return standIn?.moved === true ? { ...server, moved: true } : { ...server, lost: true };
}

/** Returns the entries that the panel wrote and that no longer exist. */
function vanished(
  files: readonly OpenedFile[],
  records: readonly MovedEntry[],
  all: readonly ForeignServer[],
): readonly ForeignServer[] {
  return records.flatMap((record): ForeignServer[] => {
    const { name, scope, path, keyPath } = record;
    const isThere = all.some(
      (server) =>
        (server.name === name && server.scope === scope) ||
        isSameMoved(record, { path: server.path, keyPath: [...server.place.keyPath, server.name] }),
    );
    const opened = files.find(({ file }) => file.path === path)?.opened;
    if (isThere || opened === undefined || isUnreadable(opened)) return [];
    const place = { scope, keyPath: keyPath.slice(0, -1) };
    return [
      { name, scope, path, place, entry: undefined, removed: record, opened, moved: false, lost: true },
    ];
  });
}

function withShadow(
  server: ForeignServer,
  all: readonly ForeignServer[],
  { shadows }: ForeignProgram,
): ForeignServer {
  // A moved server is never marked as shadowed: the entry that takes precedence may be the one with which the panel replaced
  // it.
  const winner = server.moved
    ? undefined
    : all.find(({ name, scope }) => name === server.name && shadows?.(scope, server.scope));
  return winner === undefined ? server : { ...server, shadowedBy: winner.scope };
}
