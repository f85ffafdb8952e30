import type { Ask } from '../../../../shared/asks.ts';
import type { ServerEntry } from '../../../../shared/server-config.ts';
import type { ConfigProblem } from '../config-problem.ts';

/** Where the files of other clients are on the machine that is looked at. */
export interface ImportEnvironment {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** %APPDATA%; `<home>\AppData\Roaming` without it. */
  readonly appData?: string;
  /** $XDG_CONFIG_HOME; `<home>/.config` without it. */
  readonly xdgConfigHome?: string;
}

/** Something that was not taken over, with its path in the file: `mcpServers.github.url`, or `` for the whole. */
export interface ImportProblem extends ConfigProblem {
  readonly path: string;
}

/** A server as it would stand in servers.json. */
export interface ImportedEntry {
  /** Valid, and the only one of its name in a reading. */
  readonly name: string;
  /** What the client calls it, where that is no name here or is taken. */
  readonly originalName?: string;
  readonly entry: ServerEntry;
  /** What has to be done by hand before it works as it does there. */
  readonly problem?: string;
  /** Its placeholders, whose values a person has to give; absent where there are none. */
  readonly asks?: readonly Ask[];
  /** Why it cannot work on this machine, whatever is answered. */
  readonly obstacle?: string;
}

export interface ImportReading {
  readonly entries: readonly ImportedEntry[];
  readonly problems: readonly ImportProblem[];
}

/** How one client keeps its servers. Pure: whoever uses it reads the files. */
export interface ImportStrategy {
  readonly id: string;
  readonly label: string;
  /** Absolute, most telling first. Most of them do not exist. */
  paths(env: ImportEnvironment): readonly string[];
  /** @param path where `text` was read: for a file that lies in a project, its servers start in that folder. */
  parse(text: string, path?: string): ImportReading;
  /** Further files that this one leads to. */
  follow?(text: string): readonly string[];
}
