import type { JsonObject } from '../../../../shared/json-object.ts';
import type { ImportEnvironment } from './environment.ts';

/** Path of an object within a file: `['mcpServers']`. */
export type KeyPath = readonly string[];

/** A file in which a program may keep servers. Most of them do not exist. */
export interface ProgramFile {
  readonly path: string;
  /** Word for whom its servers are: `user`, `profile:<id>`, `project:<folder>`. */
  readonly scope: string;
  /** The project's folder; the panel never writes into a file of a project. */
  readonly folder?: string;
  /** The user's file that refers to it. */
  readonly ownPath?: string;
}

/** A map or list of servers in a file. */
export interface ServersPlace {
  readonly scope: string;
  readonly keyPath: KeyPath;
  /** Folder in which the program starts these servers. */
  readonly folder?: string;
  /** Names of servers that the program disables outside their entries. */
  readonly disabledNames?: readonly string[];
  /** Path of the descriptions of values that the program asks its user for. */
  readonly inputs?: KeyPath;
  /** Where an entry of the same name wins over one of this place, which is not written itself. */
  readonly instead?: { readonly path: string; readonly scope: string; readonly keyPath: KeyPath };
}

/** What an entry of ours needs to name. */
export interface OwnServer {
  /** Name in the program. */
  readonly name: string;
  readonly url: string;
  readonly authorization: string;
}

/** A program that uses MCP servers. */
export interface ForeignProgram {
  readonly id: string;
  readonly label: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /**
   * How its processes, which start its servers, are told: by the name of the program or of an interpreter's script, or by a part
   * of its path, which is what has slashes.
   */
  readonly processNames: readonly string[];
  /** The user's own files, most relevant first. */
  files(env: ImportEnvironment): readonly ProgramFile[];
  /** Places of servers in a file, which holds `value`. */
  places(file: ProgramFile, value: unknown): readonly ServersPlace[];
  /** Further files that a file of the user refers to. */
  follow?(value: unknown, path: string): readonly ProgramFile[];
  /** The entry that makes the program use a server over HTTP; undefined where it starts programs only. */
  readonly entry?: ((server: OwnServer) => JsonObject) | undefined;
  /** The scopes that win over one for the same name: `local` over `user`. */
  readonly shadows?: (scope: string, other: string) => boolean;
  /** Whether a folder beside the file is its lock, as of proper-lockfile. */
  readonly hasLock?: true;
  /** What makes the program read its file again, as a sentence. */
  readonly reload: string;
}
