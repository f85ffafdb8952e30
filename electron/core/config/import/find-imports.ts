import { isDeepStrictEqual } from 'node:util';
import {
  connectionFields,
  serverEntrySchema,
  toServerConfig,
  type ServerConfig,
} from '../../../../shared/server-config.ts';
import type { IsOwnEndpoint } from '../own-endpoint.ts';
import { checkableEntry } from './entry-shape.ts';
import type {
  ImportedEntry,
  ImportEnvironment,
  ImportProblem,
  ImportReading,
  ImportStrategy,
} from './import-strategy.ts';
import { checkOnMachine, type ImportMachine } from './machine-check.ts';
import { withoutOwnPanel } from './own-panel.ts';
import { ServerNames } from './server-names.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { claudeCode } from './claude-code.ts';
import { vsCode } from './vs-code.ts';
import { isProblem, openDocument } from './client-document.ts';
import { inAppFolder, inHome } from './client-paths.ts';
import { ReadingBuilder } from './server-map.ts';

/** Claude Desktop. Community builds for Linux use the same file name. */
const claudeDesktop: ImportStrategy = {
  id: 'claude-desktop',
  label: 'Claude Desktop',
  paths: (env) => [inAppFolder(env, 'Claude', 'claude_desktop_config.json')],
  parse: parseMcpServers,
};

const cursor: ImportStrategy = {
  id: 'cursor',
  label: 'Cursor',
  paths: (env) => [inHome(env, '.cursor', 'mcp.json')],
  parse: parseMcpServers,
};

/** Windsurf. The second path belongs to its plug-ins for other editors. Remote servers use `serverUrl`. */
const windsurf: ImportStrategy = {
  id: 'windsurf',
  label: 'Windsurf',
  paths: (env) => [
    inHome(env, '.codeium', 'windsurf', 'mcp_config.json'),
    inHome(env, '.codeium', 'mcp_config.json'),
  ],
  parse: parseMcpServers,
};

/** Parses `{ "mcpServers": { … } }`, and ignores other content of the file. */
function parseMcpServers(text: string): ImportReading {
  const document = openDocument(text);
  if (isProblem(document)) return { entries: [], problems: [document] };
  const reading = new ReadingBuilder(document);
  reading.addMap(['mcpServers']);
  return reading.build();
}

/**
 * Relation to the panel's servers. `new`: the panel has neither the name nor the connection. `same`: a server of the panel has
 * the same connection, under this name or `existingName`. `different`: another server has the name, and would be replaced.
 */
export type ImportStatus = 'new' | 'same' | 'different';

export interface ImportCandidate extends ImportedEntry {
  readonly status: ImportStatus;
  /** Name of the panel's server with the same connection, where it differs. */
  readonly existingName?: string;
  /** For `different`: the existing entry under the name. */
  readonly existing?: Readonly<Record<string, unknown>>;
}

/** Import candidates of one client file. Files without servers and problems are left out. */
export interface ImportSource {
  readonly strategy: Pick<ImportStrategy, 'id' | 'label'>;
  readonly path: string;
  readonly servers: readonly ImportCandidate[];
  readonly problems: readonly ImportProblem[];
}

export interface FindImportsOptions {
  readonly env: ImportEnvironment;
  /** Reads a file; undefined where it is missing. A rejection becomes a problem of that file. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** Current servers of the panel. */
  readonly current: readonly ServerConfig[];
  /** Reads an entry from servers.json. A rejection leaves it out. Default: no entries are shown. */
  readonly entryOf?: (name: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Detects addresses of the panel itself, which are not offered for import. Default: no address is the panel's. */
  readonly isOwnEndpoint?: IsOwnEndpoint;
  /** Programs and variables of this machine. Default: nothing is looked up. */
  readonly machine?: ImportMachine;
}

/**
 * Reads the files of every known MCP client, and imports nothing. Over all files, two different servers never have the same
 * name, so that an import of several loses none. Never rejects.
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

/** Reads the client's own files, and then those that they refer to. */
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

/** Completes the candidate with data from servers.json and this machine. */
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

/** All clients with importable servers, in the order in which they are offered. */
export const importStrategies: readonly ImportStrategy[] = [
  claudeDesktop,
  claudeCode,
  vsCode,
  cursor,
  windsurf,
];
