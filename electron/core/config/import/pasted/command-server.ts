import { wrapperOfCommand } from '../../../platform/wrapper-programs.ts';
import { programName } from '../../../../../shared/program-name.ts';
import { nameOfEntry } from '../name-of-entry.ts';
import { type FoundServer, type Refusal, refusedSnippet } from './pasted-text.ts';
import type { ShellLine } from './shell-lines.ts';

const RUNTIMES = /^(node|deno|bun|python[\d.]*|py|java|ruby|php|perl|dotnet|dnx|go|cargo|tsx|ts-node|gh)$/;
/** Matches commands that fetch, build or list something. They run no server, although the same programs can also run servers. */
const PREPARES: readonly RegExp[] = [
  /^(npm|pnpm|yarn|bun) (i|install|ci|add|link|init|create|login|test|audit|publish|build|run (build|test|lint|dev:setup))\b/,
  /^(pip3?|pipx|uv|poetry|conda|brew|apt|apt-get|dnf|winget|choco|scoop|cargo|go|gem|dotnet) (install|sync|venv|add|init|pip|lock|build|tap|create|get|restore|tool install|python)\b/,
  /^(python[\d.]*|py) -m (venv|pip|build)\b/,
  /^(docker|podman) (?!run\b|container run\b|mcp\b|compose run\b|exec\b)/,
  /^(git|mkdir|curl|wget|source|chmod|cp|mv|rm|ls|cat|echo|touch|export|set|setx|open|code|which|make|cmake|tar|unzip|ssh|vim|nano)\b/,
  /@modelcontextprotocol\/inspector\b/,
];
const MAX_WORDS = 512;

/** Returns the server that a command line runs; undefined if it runs none, or is prose. */
export function serverOfCommand(line: ShellLine): FoundServer | Refusal | undefined {
  const { words, env, folder } = line;
  const text = words.join(' ');
  if (words.some(installs))
    return refusedSnippet(
      `"${shown(words)}" writes a server into the file of another program: paste what it writes there, or the command that runs the server itself`,
    );
  if (!isCommand(line) || PREPARES.some((pattern) => pattern.test(text))) return undefined;
  const [command, ...args] = words;
  const client = {
    command,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(folder !== undefined && /^(?:[\\/~]|[A-Za-z]:)/.test(folder) && { cwd: folder }),
  };
  return { name: nameOfEntry(client), client };
}

/** Reports whether a word of a command is a program that writes a server into another client's file. */
const installs = (word: string, index: number, words: readonly string[]): boolean =>
  /\b(?:install-mcp|add-mcp|mcp-installer)\b/.test(word) ||
  (words[index + 1] === 'install' && /@smithery\/cli|\bmcp-get/.test(word));

/** Reports whether words are a command rather than prose. */
function isCommand({ words, hasPrompt }: ShellLine): boolean {
  const [command = '', ...args] = words;
  if (words.length < 2 || words.length > MAX_WORDS) return words.length === 1 && isPath(command);
  if (!/^[\w@.+~\\/:-]+$/.test(command) && !isPath(command)) return false;
  if (hasPrompt) return true;
  // A sentence ends with punctuation; an option and its value do not.
  if (/[\p{L}\d)][.:!?,]$/u.test(args.at(-1) ?? '')) return false;
  if (isProgram(command)) return true;
  return (
    (isPath(command) || args.some((word) => /^--?[A-Za-z]/.test(word))) && !/^[A-Z][a-z]+$/.test(command)
  );
}

const isProgram = (command: string): boolean =>
  command === command.toLowerCase() &&
  (wrapperOfCommand(command) !== undefined || RUNTIMES.test(programName(command)) || /mcp/.test(command));

const isPath = (word: string): boolean =>
  /^(?:\.{0,2}[\\/]|~\/|[A-Za-z]:\\)\S/.test(word) && !word.startsWith('//');

/** Returns the first words of a command for an error message. Later words may contain secrets. */
const shown = (words: readonly string[]): string => words.slice(0, 3).join(' ').slice(0, 60);
