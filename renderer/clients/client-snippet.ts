import { serverAddress } from '../../shared/gateway-use.ts';
import { programFiles, programNotes, type ClientProgram, type System } from './client-programs.ts';

/** What a client is given so that it finds the servers. */
export interface SnippetSource {
  /** Base address of the endpoint. */
  readonly url: string;
  readonly token: string;
  /** The servers to write down, by name. */
  readonly servers: readonly string[];
  readonly system: System;
}

/** What is pasted into one program. */
export interface ClientSnippet {
  readonly form: 'command' | 'json' | 'toml';
  /** Where it belongs; a command belongs into a terminal. */
  readonly file?: string;
  readonly text: string;
  readonly note?: string;
}

type Entry = Readonly<Record<string, unknown>>;

/** The snippet of a program, with one entry for each server, under its own name wherever the program allows it. */
export function clientSnippet(program: ClientProgram, source: SnippetSource): ClientSnippet {
  const note = programNotes[program];
  return { ...contentOf(program, source), ...(note !== undefined && { note }) };
}

function contentOf(program: ClientProgram, source: SnippetSource): Omit<ClientSnippet, 'note'> {
  if (program === 'claude-code') return { form: 'command', text: claudeCommands(source) };
  const file = programFiles[program][source.system];
  if (program === 'codex') return { form: 'toml', file, text: codexTables(source) };
  const { key, entry } = jsonForms[program];
  const entries = source.servers.map((server): [string, Entry] => [
    server,
    entry(serverAddress(source.url, server), source),
  ]);
  return { form: 'json', file, text: JSON.stringify({ [key]: Object.fromEntries(entries) }, undefined, 2) };
}

interface JsonForm {
  /** The key that holds the servers. */
  readonly key: string;
  readonly entry: (address: string, source: SnippetSource) => Entry;
}

const bearer = ({ token }: SnippetSource): string => `Bearer ${token}`;
const headers = (source: SnippetSource): Entry => ({ Authorization: bearer(source) });

const jsonForms: Readonly<Record<Exclude<ClientProgram, 'claude-code' | 'codex'>, JsonForm>> = {
  // The header stands in a variable because a blank within an argument is lost on Windows.
  'claude-desktop': {
    key: 'mcpServers',
    entry: (address, source) => ({
      command: 'npx',
      args: [
        '-y',
        'mcp-remote',
        address,
        '--transport',
        'http-only',
        '--header',
        'Authorization:${AUTHORIZATION}',
      ],
      env: { AUTHORIZATION: bearer(source) },
    }),
  },
  vscode: {
    key: 'servers',
    entry: (url, source) => ({ type: 'http', url, headers: headers(source) }),
  },
  cursor: { key: 'mcpServers', entry: (url, source) => ({ url, headers: headers(source) }) },
  windsurf: { key: 'mcpServers', entry: (serverUrl, source) => ({ serverUrl, headers: headers(source) }) },
  zed: { key: 'context_servers', entry: (url, source) => ({ url, headers: headers(source) }) },
  'gemini-cli': { key: 'mcpServers', entry: (httpUrl, source) => ({ httpUrl, headers: headers(source) }) },
};

function claudeCommands(source: SnippetSource): string {
  return plainNames(source.servers)
    .map(({ server, name }) => {
      const address = serverAddress(source.url, server);
      const header = inQuotes(`Authorization: ${bearer(source)}`, source.system);
      return `claude mcp add --scope user --transport http ${name} ${address} --header ${header}`;
    })
    .join('\n');
}

function codexTables(source: SnippetSource): string {
  return plainNames(source.servers)
    .map(({ server, name }) =>
      [
        `[mcp_servers.${name}]`,
        `url = ${tomlText(serverAddress(source.url, server))}`,
        `http_headers = { Authorization = ${tomlText(bearer(source))} }`,
      ].join('\n'),
    )
    .join('\n\n');
}

/**
 * Names for programs that take letters, digits, `-` and `_` alone: every other character becomes `-`, and what would then be
 * the same name gets a number.
 */
function plainNames(
  servers: readonly string[],
): readonly { readonly server: string; readonly name: string }[] {
  const taken = new Set<string>();
  return servers.map((server) => {
    // A leading hyphen would be taken for an option.
    const plain = server.replace(/[^A-Za-z0-9_-]/g, '-').replace(/^-/, '_');
    let name = plain;
    for (let number = 2; taken.has(name); number += 1) name = `${plain}-${number}`;
    taken.add(name);
    return { server, name };
  });
}

/** One argument of a command line, whatever it holds. `cmd.exe` and PowerShell share no quoting but that of plain texts. */
export function inQuotes(text: string, system: System): string {
  if (system === 'windows') return `"${text.replaceAll('"', '')}"`;
  return `"${text.replace(/["\\$`]/g, '\\$&')}"`;
}

/** A basic string of TOML: that of JSON, and one more character that has to be escaped. */
const tomlText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007F');
