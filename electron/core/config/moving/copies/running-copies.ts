import { groupBy } from '../../../../../shared/group-by.ts';
import { isJsonObject } from '../../../../../shared/json-object.ts';
import type { ServerConfig } from '../../../../../shared/server-config.ts';
import { ProcessForest } from '../../../platform/process-forest.ts';
import type { ProcessReading, ProcessTable } from '../../../platform/process-table.ts';
import { treeMemoryBytes } from '../../../platform/tree-memory.ts';
import { wrapperOfProcess } from '../../../platform/wrapper-programs.ts';
import { translateEntry } from '../../import/translate-entry.ts';
import type { ForeignProgram } from '../../programs/program.ts';
import type { ForeignServer } from '../found-servers.ts';
import { commandForms, isInterpreter, isOfForm, plainText, withoutEnding } from './command-forms.ts';
import { foreignPrograms } from '../../programs/programs.ts';

/** A running server that a program (an MCP client) has started itself, with all its processes. */
export interface ServerCopy {
  /** Name of the server in the program; undefined if the program has no such entry. */
  readonly server?: string;
  /** All processes of its process tree. */
  readonly pids: readonly number[];
  readonly memoryBytes: number;
}

/** A server that a program starts itself, as its configuration says. */
export interface StartedServer {
  /** Id of the program that starts the server. */
  readonly program: string;
  readonly name: string;
  /** Program and arguments. */
  readonly words: readonly string[];
  /** Environment variables in the server's entry. */
  readonly env?: Readonly<Record<string, unknown>>;
}

export interface RunningProcess extends ProcessReading {
  /** Program and arguments, joined by blanks; undefined if the system does not report them. */
  readonly commandLine?: string;
}

export type NamedProgram = Pick<ForeignProgram, 'id' | 'processNames'>;

interface CopiesQuestion {
  readonly programs: readonly NamedProgram[];
  readonly servers: readonly StartedServer[];
  /** Processes of the panel, and those that it started. Their process trees are left out. */
  readonly ownPids: readonly number[];
}

/** A process with the comparable form of its command line. */
interface Row extends RunningProcess {
  readonly text: string;
}

export const comparable = (one: RunningProcess): Row => ({ ...one, text: plainText(one.commandLine ?? '') });

/**
 * Returns the running servers that programs have started themselves, by the id of the program. A copy is the process tree below
 * the topmost process that has the command line of an entry. It belongs to the nearest program above it; if that program has no
 * such entry, the copy has no `server`. If no program is above it, it belongs to the only program that has the entry.
 */
export function copiesIn(
  processes: readonly RunningProcess[],
  { programs, servers, ownPids }: CopiesQuestion,
): ReadonlyMap<string, readonly ServerCopy[]> {
  const rows = processes.map(comparable);
  const forest = new ProcessForest<Row>(rows);
  const own = new Set(ownPids.flatMap((pid) => forest.tree(pid)));
  const serversOf = matcherOf(servers);
  const matches = new Map<number, readonly StartedServer[]>();
  for (const row of rows) {
    const found = own.has(row) ? [] : serversOf(row);
    if (found.length > 0) matches.set(row.pid, found);
  }
  const copies = new Map<string, ServerCopy[]>();
  for (const [pid, found] of matches) {
    const above = forest.above(pid);
    if (above.some((one) => matches.has(one.pid))) continue;
    const owner = ownerOf(above, found, programs);
    if (owner === undefined) continue;
    const tree = forest.tree(pid);
    const server = found.find(({ program }) => program === owner)?.name;
    const copy = {
      ...(server !== undefined && { server }),
      pids: tree.map((one) => one.pid),
      memoryBytes: treeMemoryBytes(tree) ?? 0,
    };
    copies.set(owner, [...(copies.get(owner) ?? []), copy]);
  }
  return copies;
}

/** Returns a function that finds the servers whose command line a process may have. Shared command lines are compared once. */
export function matcherOf(servers: readonly StartedServer[]): (row: Row) => readonly StartedServer[] {
  const byWords = groupBy(servers, ({ words }) => JSON.stringify(words));
  const known = [...byWords.values()].map((equal) => ({ equal, forms: commandForms(equal[0]?.words ?? []) }));
  return (row) =>
    known.flatMap(({ equal, forms }) => (forms.some((one) => isOfForm(row, row.text, one)) ? equal : []));
}

/** Returns the id of a copy's program: the nearest among the ancestors in `above`, or else the only one with such an entry. */
function ownerOf(
  above: readonly Row[],
  found: readonly StartedServer[],
  programs: readonly NamedProgram[],
): string | undefined {
  const having = new Set(found.map(({ program }) => program));
  for (const row of above) {
    const named = programsNamed(row, programs);
    if (named.length > 0) return named.find((id) => having.has(id)) ?? named[0];
    // The process was started by the user in a terminal, so it belongs to no program.
    if (isTerminalShell(row)) return undefined;
  }
  const [only, ...others] = having;
  // A command line such as `node server.js` could belong to any server, so it does not identify one.
  const isTelling = found.some(({ words }) => words.some((word) => /[\\/@]|mcp/.test(word)));
  return others.length === 0 && isTelling ? only : undefined;
}

/**
 * Returns the ids of the programs that a process may be. If a program's folder occurs in the path of the process, matches by
 * name alone are ignored, because they are less specific.
 */
export function programsNamed(
  { command, text }: Pick<Row, 'command' | 'text'>,
  programs: readonly NamedProgram[],
): readonly string[] {
  const { name, path } = isInterpreter(command)
    ? scriptOf(text)
    : { name: withoutEnding(command), path: text.split(' -')[0] ?? '' };
  const ofNames = (isNamed: (one: string) => boolean) =>
    programs.filter(({ processNames }) => processNames.some(isNamed)).map(({ id }) => id);
  const byFolder = ofNames((one) => one.includes('/') && path.includes(one));
  return byFolder.length > 0 ? byFolder : ofNames((one) => one === name);
}

/** Returns the first word after the options of an interpreter. */
function scriptOf(text: string): { readonly name: string; readonly path: string } {
  const path = text.split(' ').find((word, index) => index > 0 && !word.startsWith('-')) ?? '';
  return { path, name: withoutEnding(path).replace(/\.[cm]?js$/, '') };
}

function isTerminalShell({ command, commandLine, text }: Row): boolean {
  if (commandLine === undefined || wrapperOfProcess(command)?.kind !== 'shell') return false;
  const options = text.split(' ').slice(1);
  return options.every((word) => word.startsWith('-') && !/^-[a-z]*c$/.test(word));
}

/**
 * Returns the command lines of the servers in a program's configuration. A server that was moved to the panel may still be
 * running in the program, so its former command line is included, which servers.json now contains.
 */
export function startedServers(
  program: string,
  found: readonly ForeignServer[],
  current: readonly ServerConfig[],
): readonly StartedServer[] {
  return found.flatMap(({ name, entry = {}, moved }) => {
    const kept = current.find((one) => one.name === name);
    const stdio = kept?.transport === 'stdio' ? kept : {};
    const { command, args, env }: Partial<Record<'command' | 'args' | 'env', unknown>> = moved
      ? stdio
      : translateEntry(entry, name, {}).entry;
    if (typeof command !== 'string' || command === '') return [];
    const words = [command, ...(Array.isArray(args) ? args.map(String) : [])];
    const hasEnv = isJsonObject(env) && Object.keys(env).length > 0;
    return [{ program, name, words, ...(hasEnv && { env }) }];
  });
}

interface CopyFinderOptions {
  readonly processTable: Pick<ProcessTable, 'describe' | 'readAll'>;
  /** Returns the pids of the panel, and of servers whose parent is no longer the panel. */
  readonly ownPids: () => readonly number[];
}

export type FindCopies = (
  servers: readonly StartedServer[],
) => Promise<ReadonlyMap<string, readonly ServerCopy[]>>;

/** Creates a function that finds servers that programs started themselves. It reads the process table once, and only reads. */
export function createCopyFinder({ processTable, ownPids }: CopyFinderOptions): FindCopies {
  return async (servers) => {
    if (servers.length === 0) return new Map();
    const all = (await processTable.readAll?.()) ?? [];
    const details = await processTable.describe?.(all);
    const processes = all.map((reading) => ({ ...reading, ...details?.get(reading.pid) }));
    return copiesIn(processes, { programs: foreignPrograms, servers, ownPids: ownPids() });
  };
}
