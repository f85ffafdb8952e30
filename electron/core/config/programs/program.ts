import type { JsonObject } from '../../../../shared/json-object.ts';
import type { ImportEnvironment } from './environment.ts';

/** Path of an object within a file: `['mcpServers']`. */
export type KeyPath = readonly string[];

/** A file in which a program may keep servers. Most of them do not exist. */
export interface ProgramFile {
  readonly path: string;
  /** Scope of the servers in this file: `user`, `profile:<id>`, `project:<folder>`. */
  readonly scope: string;
  /** The project's folder; the panel never writes into a file of a project. */
  readonly folder?: string;
  /** Path of the user's file that refers to this project file. */
  readonly ownPath?: string;
}

/** A map or list of servers in a file. */
export interface ServersPlace {
  readonly scope: string;
  readonly keyPath: KeyPath;
  /** Folder in which the program starts these servers. */
  readonly folder?: string;
  /** Names of servers that the program has disabled by a list outside their entries. */
  readonly disabledNames?: readonly string[];
  /** Path of the `inputs`, which describe the values that the program asks its user for. */
  readonly inputs?: KeyPath;
  /** If the panel must not write this map: the map where it can write instead, whose entries of the same name take precedence. */
  readonly instead?: { readonly path: string; readonly scope: string; readonly keyPath: KeyPath };
}

/** What the panel's entry in a program's file must contain about a server. */
export interface OwnServer {
  /** Name of the server in the program. */
  readonly name: string;
  readonly url: string;
  readonly authorization: string;
}

/** A program (an MCP client such as Claude Code or VS Code) whose servers the panel can import and move. */
export interface ForeignProgram {
  readonly id: string;
  readonly label: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /** Names that identify its processes: of the executable or an interpreter's script, or, with slashes, a part of the path. */
  readonly processNames: readonly string[];
  /** The user's own files, most relevant first. */
  files(env: ImportEnvironment): readonly ProgramFile[];
  /** Returns where a file contains servers. `value` is the parsed content of the file. */
  places(file: ProgramFile, value: unknown): readonly ServersPlace[];
  /** Returns further files, such as of projects, to which the user's file at `path` refers. `value` is its parsed content. */
  follow?(value: unknown, path: string): readonly ProgramFile[];
  /**
   * Returns the entry that makes the program use a server over HTTP; undefined if the program only starts servers as processes.
   */
  readonly entry?: ((server: OwnServer) => JsonObject) | undefined;
  /** True if `scope` takes precedence over `other` for the same name: `local` over `user`. */
  readonly shadows?: (scope: string, other: string) => boolean;
  /** True if the program locks its file as proper-lockfile does, by creating a folder beside the file. */
  readonly hasLock?: true;
  /** Sentence that says what makes the program read its file again. */
  readonly reload: string;
}
