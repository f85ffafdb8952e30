import { foreignNameProblem } from '../../shared/foreign-names.ts';
import { ALL_SERVERS, isCombined, serverAddress } from '../../shared/gateway-use.ts';
import type { Bridge } from '../../shared/ipc/topics/programs.ts';
import { nameProblemWords } from '../format/program-words.ts';
import {
  copyNote,
  programs,
  type Access,
  type ClientProgram,
  type Program,
  type System,
} from './client-programs.ts';

/** Data from which a snippet is made. */
export interface SnippetSource {
  /** Base address of the endpoint. */
  readonly url: string;
  readonly token: string;
  /** Names of the servers in the snippet. */
  readonly servers: readonly string[];
  readonly system: System;
  /** Command of the bridge; undefined if the panel has no bridge at a permanent path. */
  readonly bridge?: Bridge | undefined;
}

/** Snippet for one client program. */
interface ClientSnippet {
  /** Text to add to an existing file; for a program without a file, its commands. */
  readonly text: string;
  /** File to which the text is added; undefined for commands, which are run in a terminal. */
  readonly target?: Target;
  readonly notes: readonly string[];
}

interface Target {
  readonly file: string;
  /** Position of the text within the file. */
  readonly place: string;
  /** Content for a new file, if it needs more than the text. */
  readonly wholeFile?: string;
}

/**
 * Returns the snippet for a program. It has one entry per server, under the server's own name if the program allows that name.
 */
export function clientSnippet(id: ClientProgram, source: SnippetSource): ClientSnippet {
  const program: Program = programs[id];
  const { url, token, bridge } = source;
  const named = namesIn(program, source.servers);
  const accesses = named.map(({ server, name }) => ({
    ...{ server, name, token, bridge },
    address: serverAddress(url, server),
    authorization: `Bearer ${token}`,
  }));
  const isCopied = program.usesBridge === true && bridge === undefined;
  return {
    ...contentOf(program, accesses, source.system),
    notes: [...(program.notes ?? []), ...(isCopied ? [copyNote] : []), ...nameNotes(id, program, named)],
  };
}

function contentOf(
  { form }: Program,
  accesses: readonly Access[],
  system: System,
): Omit<ClientSnippet, 'notes'> {
  if (form.kind === 'command')
    return { text: accesses.flatMap((access) => claudeCommands(access, system)).join('\n') };
  const file = form.files[system];
  if (form.kind === 'toml')
    return { text: accesses.map(codexTable).join('\n\n'), target: { file, place: tablePlace(accesses) } };
  if (form.kind === 'yaml') {
    const text = accesses.map(continueItem).join('\n');
    return { text, target: { file, place: listPlace, wholeFile: `${continueHead}\n${indented(text, 2)}` } };
  }
  const { key, entry } = form;
  const text = accesses
    .map((access) => `${quoted(access.name)}: ${JSON.stringify(entry(access), undefined, 2)}`)
    .join(',\n');
  const wholeFile = `{\n  ${quoted(key)}: {\n${indented(text, 4)}\n  }\n}`;
  return { text, target: { file, place: keyPlace(key), wholeFile } };
}

const keyPlace = (key: string): string =>
  `Inside ${quoted(key)}: { … }, with a comma between two entries. Replace entries that have the same name. If the file has no ${quoted(key)} yet, add it. Never add a second one: it would replace all servers of the first.`;
const listPlace = 'In the list below mcpServers:. Replace items that have the same name.';
const tablePlace = ([first]: readonly Access[]): string =>
  `Replace the table ${first === undefined ? '' : tableName(first)} where there is one, in whatever form it is written, and those of the other servers likewise. Codex does not start while two entries have the same name.`;

/**
 * Commands that replace earlier entries by a single entry for all projects. Earlier entries are removed first, because `add`
 * refuses an existing name, and an entry of a folder would have priority. On Windows the lines have no error handling, because
 * its shells share no syntax for a command that may fail.
 */
function claudeCommands({ name, address, authorization }: Access, system: System): readonly string[] {
  const mayFail = system === 'windows' ? '' : ' || true';
  const header = inQuotes(`Authorization: ${authorization}`, system);
  return [
    `claude mcp remove ${name} --scope user${mayFail}`,
    `claude mcp remove ${name} --scope local${mayFail}`,
    `claude mcp add --scope user --transport http ${name} ${address} --header ${header}`,
  ];
}

const codexTable = (access: Access): string =>
  [
    tableName(access),
    `url = ${tomlText(access.address)}`,
    `http_headers = { Authorization = ${tomlText(access.authorization)} }`,
  ].join('\n');
const tableName = ({ name }: Access): string =>
  `[mcp_servers.${/^[A-Za-z0-9_-]+$/.test(name) ? name : tomlText(name)}]`;

// Continue requires these three fields in every file of this kind.
const continueHead = ['name: Local Config', 'version: 1.0.0', 'schema: v1', 'mcpServers:'].join('\n');
const continueItem = ({ name, address, authorization }: Access): string =>
  [
    `- name: ${quoted(name)}`,
    '  type: streamable-http',
    `  url: ${quoted(address)}`,
    '  requestOptions:',
    '    headers:',
    `      Authorization: ${quoted(authorization)}`,
  ].join('\n');

const indented = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => ' '.repeat(width) + line)
    .join('\n');

/** Quotes one argument of a command line. `cmd.exe` and PowerShell agree only on how simple texts are quoted. */
export function inQuotes(text: string, system: System): string {
  if (system === 'windows') return `"${text.replaceAll('"', '')}"`;
  return `"${text.replace(/["\\$`]/g, '\\$&')}"`;
}

/** Text as a JSON string, which is also valid YAML. */
const quoted = (text: string): string => JSON.stringify(text);
/** Text as a basic TOML string, which is a JSON string with one more character escaped. */
const tomlText = (text: string): string => quoted(text).replaceAll('\u007f', '\\u007F');

/** Server with its name in a client program. */
interface NamedServer {
  readonly server: string;
  readonly name: string;
}

/** Returns the servers with names that the program accepts. A server keeps its own name if possible. */
function namesIn({ plainNames }: Program, servers: readonly string[]): readonly NamedServer[] {
  if (plainNames === undefined) return servers.map((server) => ({ server, name: entryName(server) }));
  const { reserved } = plainNames;
  const isKept = (server: string) => plain(server) === server && !reserved.includes(server);
  const taken = new Set([...reserved, ...servers.filter(isKept)]);
  return servers.map((server) => {
    const own = entryName(server);
    if (isKept(own)) return { server, name: own };
    let name = plain(own);
    for (let number = 2; taken.has(name); number += 1) name = `${plain(own)}-${number}`;
    taken.add(name);
    return { server, name };
  });
}

/** Returns the name of an entry for one server, or for several servers at one address. */
function entryName(server: string): string {
  if (server === ALL_SERVERS) return 'mcp-control-panel';
  return isCombined(server) ? server.slice(ALL_SERVERS.length) : server;
}

// A leading hyphen is replaced, because it would be read as an option.
const plain = (server: string): string => server.replace(/[^A-Za-z0-9_-]/g, '-').replace(/^-/, '_');

/** Returns notes on names that the snippet changes, and on names that the program changes or leaves out. */
function nameNotes(id: ClientProgram, program: Program, named: readonly NamedServer[]): readonly string[] {
  const names = named.map(({ name }) => name);
  const problems = names.flatMap((name) => {
    const problem = foreignNameProblem(id, name, names);
    return problem === undefined ? [] : [`“${name}”: ${nameProblemWords(program.name, problem)}`];
  });
  const changed = named
    .filter(({ server, name }) => entryName(server) !== name)
    .map(({ server, name }) => `“${entryName(server)}” is called “${name}” here.`);
  if (program.plainNames === undefined || changed.length === 0) return problems;
  return [`${changed.join(' ')} ${program.plainNames.reason}`, ...problems];
}
