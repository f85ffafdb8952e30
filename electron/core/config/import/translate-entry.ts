import { isAbsolute as isPosixAbsolute, win32 } from 'node:path';
import { isJsonObject } from '../../../../shared/json-object.ts';
import { wrapperOfCommand } from '../../platform/wrapper-programs.ts';
import type { AskHints } from './entry-asks.ts';
import { addressOf, plainEntry } from './entry-shape.ts';
import { ownValue } from '../../../../shared/own-value.ts';

/** Information that applies to all entries of one map of servers, such as `mcpServers`. */
export interface TranslationContext {
  /** Working folder in which the client starts these servers. */
  readonly folder?: string;
  /** Names of the servers that the client has disabled by a list outside their entries. */
  readonly disabledNames?: readonly string[];
  /** Hints for placeholders of these entries. */
  readonly hints?: AskHints;
  /** Remarks to add to each of these entries. */
  readonly remarks?: readonly string[];
}

export interface TranslatedEntry {
  /** Entry with keys of servers.json only; not validated yet. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** Texts that tell the user what was not imported or has to be done by hand. */
  readonly remarks: readonly string[];
  /** Placeholders in the entry, each with a remark. The remark is shown if the user is not asked for the value. */
  readonly placeholders: readonly { readonly text: string; readonly remark: string }[];
}

type ClientEntry = Readonly<Record<string, unknown>>;

/** Type of servers.json for each type name that other clients use. */
const typeByWord: ReadonlyMap<string, string> = new Map([
  ['stdio', 'stdio'],
  ['local', 'stdio'],
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamable_http', 'http'],
  ['streamablehttp', 'http'],
  ['sse', 'sse'],
]);

/** Converts another client's entry to the form of servers.json. Keeps invalid values, which the later check refuses. */
export function translateEntry(
  written: ClientEntry,
  name: string,
  context: TranslationContext,
): TranslatedEntry {
  const client = plainEntry(written);
  const [command, args] = commandOf(client);
  const { env, removed } = environmentOf(client['env'] ?? client['environment'] ?? client['envs']);
  const url = addressOf(client);
  const cwd = client['cwd'] ?? client['workingDirectory'];
  const entry = withoutUndefined({
    type: typeOf(client, url !== undefined),
    command,
    args: args === undefined ? undefined : asTexts(args),
    env: withPassedVariables(env, command, args),
    cwd: cwd ?? projectFolder(command, args, context),
    url,
    headers: asTexts(headersOf(client)),
    disabled: isDisabled(client, name, context) ? true : undefined,
    panel: client['panel'],
  });
  return {
    entry,
    remarks: [
      ...(context.remarks ?? []),
      ...removed.map(
        (variable) => `env.${variable} is null, which removes the variable there: it is kept here`,
      ),
      ...relativeFolder(cwd),
      ...Object.entries(client).flatMap(([key, value]) => describeLoss(key, value)),
    ],
    placeholders: findPlaceholders(entry).map((found) => ({
      text: found.text,
      remark: describePlaceholder(found, context.hints ?? new Map()),
    })),
  };
}

/**
 * Converts the type of an entry. Returns undefined if it can be derived from `command` or `url`. An unknown type is kept, so
 * that the validation names it in its error.
 */
function typeOf(client: ClientEntry, isRemote: boolean): unknown {
  const word = client['type'] ?? client['transport'] ?? client['transportType'];
  if (typeof word !== 'string') return word ?? (client['httpUrl'] === undefined ? undefined : 'http');
  if (word === 'remote' && isRemote) return undefined;
  const type = typeByWord.get(word.toLowerCase()) ?? word;
  return type === 'stdio' ? undefined : type;
}

/** Returns the command and the arguments, which some clients keep in one list. */
function commandOf(client: ClientEntry): readonly [unknown, unknown] {
  const { args } = client;
  const command = client['command'] ?? client['cmd'];
  return Array.isArray(command) ? [command[0] as unknown, command.slice(1)] : [command, args];
}

/** Returns an entry's headers. Variables that Codex names for header values and the `Authorization` token become placeholders. */
function headersOf(client: ClientEntry): unknown {
  const headers = client['headers'] ?? client['http_headers'];
  const fromVariables = client['env_http_headers'];
  const tokenVariable = client['bearer_token_env_var'];
  if (!isJsonObject(fromVariables) && typeof tokenVariable !== 'string') return headers;
  return Object.fromEntries([
    ...(isJsonObject(headers) ? Object.entries(headers) : []),
    ...(isJsonObject(fromVariables) ? Object.entries(fromVariables) : []).map(([name, variable]) => [
      name,
      `\${env:${String(variable)}}`,
    ]),
    ...(typeof tokenVariable === 'string' ? [['Authorization', `Bearer \${env:${tokenVariable}}`]] : []),
  ]);
}

function isDisabled(client: ClientEntry, name: string, { disabledNames = [] }: TranslationContext): boolean {
  return (
    client['disabled'] === true ||
    client['enabled'] === false ||
    client['isActive'] === false ||
    disabledNames.includes(name)
  );
}

function environmentOf(value: unknown): { readonly env: unknown; readonly removed: readonly string[] } {
  if (!isJsonObject(value)) return { env: value, removed: [] };
  const isRemoved = ([, item]: [string, unknown]) => item === null;
  const variables = Object.entries(value);
  const env = asTexts(Object.fromEntries(variables.filter((variable) => !isRemoved(variable))));
  return { env, removed: variables.filter(isRemoved).map(([name]) => name) };
}

/**
 * Adds the variables that a container inherits through `-e TOKEN` to `env`, as placeholders that the user will fill in. Under
 * the panel they would otherwise be empty.
 */
function withPassedVariables(env: unknown, command: unknown, args: unknown): unknown {
  const isEngine = typeof command === 'string' && wrapperOfCommand(command)?.kind === 'container engine';
  if (!isEngine || !Array.isArray(args) || (env !== undefined && !isJsonObject(env))) return env;
  const words = (args as unknown[]).map(String);
  const passed = words.flatMap((word, index): readonly string[] => {
    const behind = /^(?:-[a-z]{0,9}e|--env)$/.test(words[index - 1] ?? '');
    const name = /^(?:--env=)?([A-Za-z_]\w*)$/.exec(word)?.[1];
    return name !== undefined && (behind || word.startsWith('--env=')) ? [name] : [];
  });
  const missing = passed.filter((name) => env === undefined || !Object.hasOwn(env, name));
  if (missing.length === 0) return env;
  return { ...env, ...Object.fromEntries(missing.map((name) => [name, `\${${name}}`])) };
}

/** Converts numbers and booleans inside a list or an object to texts; other values stay. */
function asTexts(value: unknown): unknown {
  const asText = (item: unknown) =>
    typeof item === 'number' || typeof item === 'boolean' ? String(item) : item;
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asText(item)]));
}

/** Returns the project's folder if a part of the command line looks relative to it. */
function projectFolder(command: unknown, args: unknown, { folder }: TranslationContext): string | undefined {
  const words: unknown[] = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])];
  return words.some(isRelativePath) ? folder : undefined;
}

function isRelativePath(word: unknown): boolean {
  if (typeof word !== 'string' || isAbsolute(word)) return false;
  return (
    /^\.{1,2}($|[\\/])/.test(word) ||
    /^[^-@$~:][^:]*\.([cm]?[jt]s|py|rb|sh|jar|exe|cmd|bat|ps1|json|toml|ya?ml)$/i.test(word)
  );
}

function relativeFolder(cwd: unknown): readonly string[] {
  if (typeof cwd !== 'string' || cwd.startsWith('${') || isAbsolute(cwd)) return [];
  return [`cwd "${cwd}" is relative to a folder of that client: write the whole path`];
}

function isAbsolute(path: string): boolean {
  return isPosixAbsolute(path) || win32.isAbsolute(path);
}

function withoutUndefined(value: ClientEntry): ClientEntry {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

/** Messages about keys of other clients that matter and have no counterpart in this panel. */
const lostKeys: Readonly<Record<string, string>> = {
  envFile: 'envFile is not read here: put its variables into env',
  headersHelper: 'headersHelper is not run here: put the headers into headers',
  oauth: 'the sign-in settings (oauth) are not imported',
  auth: 'the sign-in settings (auth) are not imported',
  authProviderType: 'the sign-in settings (authProviderType) are not imported',
  timeout: 'its time limit (timeout) is not imported: see panel.calls.timeoutMs',
  sandboxEnabled: 'it is not run in a sandbox here',
  sandbox: 'it is not run in a sandbox here',
  tools: 'its choice of tools (tools) is not imported',
  disabledTools: 'its choice of tools (disabledTools) is not imported',
  includeTools: 'its choice of tools (includeTools) is not imported',
  excludeTools: 'its choice of tools (excludeTools) is not imported',
};

/** Returns one sentence about a key whose loss affects users; none for approvals, descriptions and the like. */
function describeLoss(key: string, value: unknown): readonly string[] {
  const words = ownValue(lostKeys, key);
  return words === undefined || isEmpty(value) ? [] : [words];
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || (value.length === 1 && value[0] === '*');
  return value === undefined || value === null || value === false || value === '';
}

/** A `${…}` in an entry, which the entry's client would fill in and the panel does not. */
interface Placeholder {
  /** Path below the entry: `env.TOKEN`, `args.2`. */
  readonly path: string;
  readonly text: string;
  /** Part before the colon, or everything if there is no colon: `input`, `env`, `workspaceFolder`, … */
  readonly kind: string;
}

const PLACEHOLDER = /\$\{([^${}]+)\}/g;

/** Finds every placeholder in the texts within `value`. */
function findPlaceholders(value: unknown, path: readonly string[] = []): readonly Placeholder[] {
  if (typeof value === 'string') return placeholdersIn(value, path.join('.'));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => findPlaceholders(item, [...path, key]));
}

/** Describes what the user must do about a placeholder. `hints` describe what its client would ask for. */
function describePlaceholder({ path, text, kind }: Placeholder, hints: AskHints): string {
  if (kind !== 'input')
    return `${path} contains ${text}, which is not filled in here: enter the value itself`;
  const description = hints.get(text)?.description;
  const meaning = description === undefined ? '' : ` (${description})`;
  return `${path} contains ${text}${meaning}, which its client asks for: enter the value itself`;
}

function placeholdersIn(text: string, path: string): readonly Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map(([whole, inner = '']) => {
    const colon = inner.indexOf(':');
    const kind = colon === -1 ? inner : inner.slice(0, colon);
    return { path, text: whole, kind };
  });
}
