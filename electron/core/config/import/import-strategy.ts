import type { Ask } from '../../../../shared/asks.ts';
import type { ServerEntry } from '../../../../shared/server-config.ts';
import type { ConfigProblem } from '../config-problem.ts';

/** A part that was not imported, with its path in the file: `mcpServers.github.url`, or `` for the whole file. */
export interface ImportProblem extends ConfigProblem {
  readonly path: string;
}

/** A server in the form of servers.json. */
export interface ImportedEntry {
  /** Valid name, unique within a reading. */
  readonly name: string;
  /** Name in the client, where it is invalid or taken here. */
  readonly originalName?: string;
  readonly entry: ServerEntry;
  /** Manual steps that are needed before it works as in the client. */
  readonly problem?: string;
  /** Questions for its placeholders, whose values the user must give; absent without any. */
  readonly asks?: readonly Ask[];
  /** Reason why it cannot work on this machine, whatever the answers. */
  readonly obstacle?: string;
}

export interface ImportReading {
  readonly entries: readonly ImportedEntry[];
  readonly problems: readonly ImportProblem[];
}
