import { isDeepStrictEqual } from 'node:util';
import {
  connectionFields,
  serverEntrySchema,
  toServerConfig,
  type ServerConfig,
} from '../../../../shared/server-config.ts';
import type { IsOwnEndpoint } from '../own-endpoint.ts';
import { withoutOwnPanel } from './own-panel.ts';
import { checkableEntry } from './entry-shape.ts';
import type { ImportEnvironment } from '../programs/environment.ts';
import { type ReadFile, readProgram } from '../programs/read-program.ts';
import { foreignPrograms } from '../programs/programs.ts';
import type { ImportCandidate, ImportedEntry, ImportProblem, Imports } from '../../../../shared/manage.ts';
import { readEntries } from './read-entries.ts';
import { checkOnMachine, type ImportMachine } from './machine-check.ts';
import { ServerNames } from './server-names.ts';

/** What can be imported from one file of another client. A file with neither servers nor problems is left out. */
export interface ImportSource extends Pick<Imports['files'][number], 'strategy' | 'label' | 'path'> {
  readonly servers: readonly ImportCandidate[];
  readonly problems: readonly ImportProblem[];
}

export interface FindImportsOptions {
  readonly env: ImportEnvironment;
  readonly readFile: ReadFile;
  /** Current servers of the panel. */
  readonly current: readonly ServerConfig[];
  /** Reads a servers.json entry, shown beside an imported server of the same name. If it rejects or is missing, none is shown. */
  readonly entryOf?: (name: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Recognizes addresses of the panel itself, which cannot be imported. Default: recognizes none. */
  readonly isOwnEndpoint?: IsOwnEndpoint;
  /** Programs and variables of this machine, with which entries are checked. Default: entries are not checked. */
  readonly machine?: ImportMachine;
}

/**
 * Reads the configuration files of all known MCP clients, without importing anything. Different servers get different names
 * across all files, so that importing several of them loses none. Never rejects.
 */
export async function findImports(options: FindImportsOptions): Promise<readonly ImportSource[]> {
  const names = new ServerNames();
  const sources: ImportSource[] = [];
  for (const program of foreignPrograms) {
    for (const opened of await readProgram(program, options.env, options.readFile)) {
      const reading = withoutOwnPanel(readEntries(program, opened), options.isOwnEndpoint ?? (() => false));
      if (reading.entries.length + reading.problems.length === 0) continue;
      const candidates = reading.entries.map((entry) => toCandidate(entry, names, options.current));
      const servers = await Promise.all(candidates.map((candidate) => lookUp(candidate, options)));
      const { id: strategy, label } = program;
      sources.push({ strategy, label, path: opened.file.path, servers, problems: reading.problems });
    }
  }
  return sources;
}

/** Adds to a candidate the check on this machine and, if the panel has a different server of that name, that server's entry. */
async function lookUp(
  candidate: ImportCandidate,
  { entryOf, machine }: FindImportsOptions,
): Promise<ImportCandidate> {
  const checked = machine === undefined ? candidate : await checkOnMachine(candidate, machine);
  if (candidate.status !== 'different' || entryOf === undefined) return checked;
  const existing = await entryOf(candidate.name).catch(() => undefined);
  return existing === undefined ? checked : { ...checked, existing };
}

function toCandidate(
  imported: ImportedEntry,
  names: ServerNames,
  current: readonly ServerConfig[],
): ImportCandidate {
  const { entry, problem, asks } = imported;
  const original = imported.originalName ?? imported.name;
  const { name } = names.nameFor(imported.name, entry);
  return {
    name,
    ...(name !== original && { originalName: original }),
    entry,
    ...(problem !== undefined && { problem }),
    ...(asks !== undefined && { asks }),
    ...compareServer(name, imported, current),
  };
}

/** Determines whether the panel has a server with the same connection, a different one with this name, or neither. */
export function compareServer(
  name: string,
  { entry }: ImportedEntry,
  current: readonly ServerConfig[],
): Pick<ImportCandidate, 'status' | 'existingName'> {
  const wanted = connectionFields(
    toServerConfig(name, serverEntrySchema.parse(checkableEntry(entry)), (cwd) => cwd),
  );
  const twins = current.filter((server) => isDeepStrictEqual(connectionFields(server), wanted));
  const [twin] = twins;
  if (twin === undefined)
    return { status: current.some((server) => server.name === name) ? 'different' : 'new' };
  return twins.some((server) => server.name === name)
    ? { status: 'same' }
    : { status: 'same', existingName: twin.name };
}
