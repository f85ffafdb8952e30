import type { JsonObject } from '../../../../shared/json-object.ts';
import type { ImportEnvironment } from './environment.ts';

/** Path of an object within a file: `['mcpServers']`. */
export type KeyPath = readonly string[];

/** A file in which a program may keep servers. Most of them do not exist. */
export interface ProgramFile {
  readonly path: string;
  /** Name of the scope of its servers: `user`, `profile:<id>`, `project:<folder>`. */
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
  /** Where an entry of the same name takes precedence over an entry of this map, for a map that the panel does not write. */
  readonly instead?: { readonly path: string; readonly scope: string; readonly keyPath: KeyPath };
}

/** Data of a server that our entry must contain. */
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
   * Names that identify the program's processes, which start its servers: the name of the program or of an interpreter's
   * script, or a part of its path, which contains slashes.
   */
  readonly processNames: readonly string[];
  /** The user's own files, most relevant first. */
  files(env: ImportEnvironment): readonly ProgramFile[];
  /** Locations of servers in a file, whose parsed content is `value`. */
  places(file: ProgramFile, value: unknown): readonly ServersPlace[];
  /** Further files that a file of the user refers to. */
  follow?(value: unknown, path: string): readonly ProgramFile[];
  /**
   * Returns the entry that makes the program use a server over HTTP; undefined if the program only starts servers as processes.
   */
  readonly entry?: ((server: OwnServer) => JsonObject) | undefined;
  /** True if `scope` takes precedence over `other` for the same name: `local` over `user`. */
  readonly shadows?: (scope: string, other: string) => boolean;
  /** Set if a folder beside the file is its lock, as created by proper-lockfile. */
  readonly hasLock?: true;
  /** Sentence that says what makes the program read its file again. */
  readonly reload: string;
}
