import type { Program } from './client-programs.ts';

/** A server, and its name in a program. */
export interface NamedServer {
  readonly server: string;
  readonly name: string;
}

/** The servers under the names that the program takes: their own wherever possible. */
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

// A leading hyphen would be taken for an option.
const plain = (server: string): string => server.replace(/[^A-Za-z0-9_-]/g, '-').replace(/^-/, '_');

/** What is said of names that the program changes, now or for the names of its tools. */
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

/** Servers that have one name once every special character is `_`, as Codex makes it for its tools. */
function equalOnceOdd(named: readonly NamedServer[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const { name } of named) {
    const key = name.replace(/[^A-Za-z0-9_]/g, '_');
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()].filter((names) => names.length > 1);
}
