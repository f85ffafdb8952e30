import type { Program } from './client-programs.ts';

/** Server with its name in a client program. */
export interface NamedServer {
  readonly server: string;
  readonly name: string;
}

/** Servers with names that the program accepts: their own names if possible. */
export function namesIn({ plainNames }: Program, servers: readonly string[]): readonly NamedServer[] {
  if (plainNames === undefined) return servers.map((server) => ({ server, name: server }));
  const { reserved } = plainNames;
  const isKept = (server: string) => plain(server) === server && !reserved.includes(server);
  const taken = new Set([...reserved, ...servers.filter(isKept)]);
  return servers.map((server) => {
    if (isKept(server)) return { server, name: server };
    let name = plain(server);
    for (let number = 2; taken.has(name); number += 1) name = `${plain(server)}-${number}`;
    taken.add(name);
    return { server, name };
  });
}

// A leading hyphen would be read as an option.
const plain = (server: string): string => server.replace(/[^A-Za-z0-9_-]/g, '-').replace(/^-/, '_');

/** Notes on names that the program changes, for servers or for their tools. */
export function nameNotes(program: Program, named: readonly NamedServer[]): readonly string[] {
  if (program.form.kind === 'toml') return equalOnceOdd(named).map(hashNote);
  const changed = named
    .filter(({ server, name }) => server !== name)
    .map(({ server, name }) => `“${server}” is called “${name}” here.`);
  if (program.plainNames === undefined || changed.length === 0) return [];
  return [`${changed.join(' ')} ${program.plainNames.reason}`];
}

const hashNote = (names: readonly string[]): string =>
  `${names.map((name) => `“${name}”`).join(', ')}: these names differ in special characters only, so Codex adds a hash to the names of their tools.`;

/** Servers whose names are equal after every special character became `_`, as Codex does for the names of tools. */
function equalOnceOdd(named: readonly NamedServer[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const { name } of named) {
    const key = name.replace(/[^A-Za-z0-9_]/g, '_');
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()].filter((names) => names.length > 1);
}
