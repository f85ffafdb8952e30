import { isDeepStrictEqual } from 'node:util';
import {
  connectionFields,
  serverEntrySchema,
  toServerConfig,
  type ServerConfig,
} from '../../../../shared/server-config.ts';
import type { IsOwnEndpoint } from '../own-endpoint.ts';
import { checkableEntry } from './entry-shape.ts';
import { importStrategies } from './import-strategies.ts';
import type {
  ImportedEntry,
  ImportEnvironment,
  ImportProblem,
  ImportReading,
  ImportStrategy,
} from './import-strategy.ts';
import { checkOnMachine, type Machine } from './machine-check.ts';
import { withoutOwnPanel } from './own-panel.ts';
import { ServerNames } from './server-names.ts';
import { messageOf } from '../../../../shared/message-of.ts';

/**
 * `new`: nothing here has the name or the connection. `same`: a server here reaches the same thing in the same way,
 * under this name or under `existingName`. `different`: the name is taken by something else; taking it replaces that.
 */
export type ImportStatus = 'new' | 'same' | 'different';

export interface ImportCandidate extends ImportedEntry {
  readonly status: ImportStatus;
  /** The server here that is the same, where it has another name. */
  readonly existingName?: string;
  /** For `different`: the entry that stands here under the name. */
  readonly existing?: Readonly<Record<string, unknown>>;
}

/** What one file of another client offers. Files without servers and without problems are left out. */
export interface ImportSource {
  readonly strategy: Pick<ImportStrategy, 'id' | 'label'>;
  readonly path: string;
  readonly servers: readonly ImportCandidate[];
  readonly problems: readonly ImportProblem[];
}

export interface FindImportsOptions {
  readonly env: ImportEnvironment;
  /** Undefined for a file that is not there. A rejection becomes a problem of that file. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** The servers of the panel as they are. */
  readonly current: readonly ServerConfig[];
  /** The entry of one of them as it stands in servers.json. A rejection leaves it out. Default: nothing is told of it. */
  readonly entryOf?: (name: string) => Promise<Readonly<Record<string, unknown>>>;
  /** What leads back to the panel, which is not offered. Default: nothing does. */
  readonly isOwnEndpoint?: IsOwnEndpoint;
  /** What this machine has for them. Default: nothing is looked up. */
  readonly machine?: Machine;
}

/**
 * Looks at the files of every known client. Only looks: nothing is taken over by itself. Over all files, two servers
 * that differ never have the same name, so that taking several never loses one. Never rejects.
 */
export async function findImports(options: FindImportsOptions): Promise<readonly ImportSource[]> {
  const names = new ServerNames();
  const sources: ImportSource[] = [];
  for (const strategy of importStrategies) {
    for (const { path, reading: all } of await readClient(strategy, options)) {
      const reading = withoutOwnPanel(all, options.isOwnEndpoint ?? (() => false));
      if (reading.entries.length + reading.problems.length === 0) continue;
      const candidates = reading.entries.map((entry) => toCandidate(entry, names, options.current));
      const servers = await Promise.all(candidates.map((candidate) => lookUp(candidate, options)));
      const { id, label } = strategy;
      sources.push({ strategy: { id, label }, path, servers, problems: reading.problems });
    }
  }
  return sources;
}

interface ReadFile {
  readonly path: string;
  readonly reading: ImportReading;
}

/** The client's own files, and then those that they lead to. */
async function readClient(strategy: ImportStrategy, options: FindImportsOptions): Promise<ReadFile[]> {
  const found: ReadFile[] = [];
  const queue = [...strategy.paths(options.env)];
  const ownCount = queue.length;
  const seen = new Set<string>();
  for (const [index, path] of queue.entries()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = await options.readFile(path).catch((error: unknown) => unreadable(error));
    if (text === undefined) continue;
    if (typeof text !== 'string') {
      found.push({ path, reading: text });
      continue;
    }
    found.push({ path, reading: strategy.parse(text, path) });
    if (index < ownCount) queue.push(...(strategy.follow?.(text) ?? []));
  }
  return found;
}

function unreadable(error: unknown): ImportReading {
  const reason = messageOf(error);
  return { entries: [], problems: [{ path: '', message: `it cannot be read: ${reason}` }] };
}

/** The candidate with what only a look at servers.json and at this machine can tell. */
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
    ...compare(name, imported, current),
  };
}

function compare(
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
