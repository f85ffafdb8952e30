import { isJsonObject } from '../../../../../shared/json-object.ts';
import { wrapperOfCommand } from '../../../platform/wrapper-programs.ts';
import { openText } from '../../programs/spans/open-text.ts';
import { nameOfEntry } from '../name-of-entry.ts';
import { inputHints } from '../entry-asks.ts';
import { type FoundServer, type Refusal, refusedSnippet } from './pasted-text.ts';
import { jsonIn } from './read-json.ts';
import type { ShellLine } from './shell-lines.ts';

/** Options of `mcp add` with a value, in the spellings of Claude Code, Codex, Gemini, Kiro and similar clients. */
const VALUE_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['-t', 'transport'],
  ['--transport', 'transport'],
  ['--type', 'transport'],
  ['-s', 'scope'],
  ['--scope', 'scope'],
  ['-e', 'env'],
  ['--env', 'env'],
  ['-H', 'header'],
  ['--header', 'header'],
  ['--url', 'url'],
  ['--bearer-token-env-var', 'tokenVariable'],
  ['--timeout', 'timeout'],
  ['--description', 'description'],
  ['--include-tools', 'tools'],
  ['--exclude-tools', 'tools'],
  ['--client-id', 'client'],
  ['--callback-port', 'client'],
  ['--cwd', 'cwd'],
  ['--name', 'name'],
  ['--command', 'command'],
  ['--args', 'args'],
]);

/** Returns the server that a command like `claude mcp add` or `code --add-mcp` adds; undefined for another command. */
export function serverOfClientCommand({ words }: ShellLine): FoundServer | Refusal | undefined {
  const json = words.findIndex((word) => /^--add-mcp(?:=|$)/.test(word));
  if (json > 0) return ofJson(undefined, words[json]?.split('=').slice(1).join('=') || words[json + 1]);
  const at = words.findIndex(
    (word, index) => /^\/?mcp$/.test(word) && /^add(?:-json)?$/.test(words[index + 1] ?? ''),
  );
  // Prose may contain `mcp add` too. In a real command the client's name, or a program that runs the client, comes first.
  const isSlash = words[at] === '/mcp';
  if (at < (isSlash ? 0 : 1) || at > 4 || (at > 1 && wrapperOfCommand(words[0] ?? '') === undefined))
    return undefined;
  const rest = words.slice(at + 2);
  if (words[at + 1] === 'add') return ofAdd(readAdd(rest));
  const { positionals } = readAdd(rest);
  return ofJson(positionals[0], positionals.slice(1).join(' '));
}

interface AddCommand {
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** Arguments without an option: name, then command or address, then arguments of the command. */
  readonly positionals: readonly string[];
}

/**
 * Parses the words after `mcp add`. The client's options end at `--` or where the server's command begins. A client option
 * after that is still recognized, because users write `claude mcp add files npx -y server-files -s user`.
 */
function readAdd(words: readonly string[]): AddCommand {
  const options = new Map<string, string[]>();
  const positionals: string[] = [];
  let isCommand = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--' && !isCommand) {
      isCommand = true;
      continue;
    }
    const [, long, inline] = /^(--[\w-]+)=([\s\S]*)$/.exec(word) ?? [];
    const option = isCommand ? undefined : VALUE_OPTIONS.get(long ?? word);
    const value = inline ?? words[index + 1];
    const isOwn = option !== undefined && (positionals.length < 2 || isForClient(option, value, positionals));
    if (isOwn) {
      const values = options.get(option) ?? [];
      options.set(option, values);
      values.push(value ?? '');
      if (inline === undefined) index += 1;
      // One `--env` may be followed by several variables.
      while (option === 'env' && /^[A-Za-z_]\w*=/.test(words[index + 1] ?? ''))
        values.push(words[(index += 1)] ?? '');
    } else if (positionals.length >= 2 || isCommand || !word.startsWith('-')) positionals.push(word);
  }
  return { options, positionals };
}

/**
 * True if an option after the server's command or address belongs to the client. An address has no options of its own. After a
 * command, the option's value must be one that only the client's option takes.
 */
function isForClient(
  option: string,
  value: string | undefined,
  [, command = '']: readonly string[],
): boolean {
  if (/^https?:/.test(command)) return true;
  if (option === 'scope') return /^(user|project|local)$/.test(value ?? '');
  if (option === 'transport') return /^(stdio|http|sse)$/.test(value ?? '');
  return option === 'env' && !/^(docker|podman)$/.test(command) && /^[A-Z_]\w*=/.test(value ?? '');
}

function ofAdd({ options, positionals }: AddCommand): FoundServer | Refusal {
  const command = options.get('command')?.at(-1);
  const named = options.get('name')?.at(-1);
  const words = [...(named === undefined ? [] : [named]), ...positionals];
  const [name, second, ...args] =
    command === undefined
      ? words
      : [words[0], command, ...words.slice(1), ...(options.get('args') ?? []).flatMap(listOf)];
  const url = options.get('url')?.at(-1) ?? (/^https?:\/\//.test(second ?? '') ? second : undefined);
  if (name === undefined || (url === undefined && second === undefined))
    return refusedSnippet(
      'the command names no server: expected mcp add <name> -- <command>, or mcp add <name> <address>',
    );
  const transport = options.get('transport')?.at(-1);
  const tokenVariable = options.get('tokenVariable')?.at(-1);
  if (url !== undefined) {
    const headers = pairs(options.get('header'), /^([^:=\s]+)\s*[:=]\s*([\s\S]*)$/);
    const type = transport ?? (/\/sse\/?$/.test(url) ? 'sse' : 'http');
    return {
      name,
      client: {
        type: type === 'stdio' ? 'http' : type,
        url,
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(tokenVariable !== undefined && { bearer_token_env_var: tokenVariable }),
      },
    };
  }
  const env = pairs(options.get('env'), /^([^=]+)=([\s\S]*)$/);
  const cwd = options.get('cwd')?.at(-1);
  return {
    name,
    client: {
      command: second,
      ...(args.length > 0 && { args }),
      ...(Object.keys(env).length > 0 && { env }),
      ...(cwd !== undefined && { cwd }),
    },
  };
}

/** Parses the `--args` value of Kiro: a JSON array, or words separated by commas. */
function listOf(text: string): readonly string[] {
  const list = text.startsWith('[') ? jsonIn(text) : undefined;
  return Array.isArray(list) ? list.map(String) : text.split(',').filter((word) => word !== '');
}

function pairs(texts: readonly string[] = [], form: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.flatMap((text): [string, string][] => {
      const [, name, value] = form.exec(text) ?? [];
      return name === undefined ? [] : [[name.trim(), value ?? '']];
    }),
  );
}

function ofJson(name: string | undefined, text = ''): FoundServer | Refusal {
  const value = jsonIn(text) ?? jsonIn(text.replaceAll('\\"', '"'));
  if (!isJsonObject(value)) {
    const opened = openText('json', text);
    const reason = 'message' in opened ? `: ${opened.message}` : '';
    return refusedSnippet(`the JSON in the command cannot be read${reason}`);
  }
  return { name: name ?? nameOfEntry(value), client: value, hints: inputHints(value['inputs']) };
}
