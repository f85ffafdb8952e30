import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import { ownValue } from '../../../../../shared/own-value.ts';
import type { AskHint } from '../entry-asks.ts';
import { type FoundServer, type Refusal, refusedSnippet } from './pasted-text.ts';

type Hints = Map<string, AskHint>;

/** Package kinds that can run on this machine, with their commands; kinds with the fewest requirements come first. */
const RUNNERS: readonly { readonly kind: string; readonly run: (name: string, version: string) => Run }[] = [
  { kind: 'npm', run: (name, version) => ({ command: 'npx', args: ['-y', versioned(name, '@', version)] }) },
  { kind: 'pypi', run: (name, version) => ({ command: 'uvx', args: [versioned(name, '@', version)] }) },
  {
    kind: 'oci',
    run: (name, version) => ({
      command: 'docker',
      args: [
        'run',
        '-i',
        '--rm',
        /[:@]/.test(name.slice(name.lastIndexOf('/') + 1)) ? name : versioned(name, ':', version),
      ],
    }),
  },
  {
    kind: 'nuget',
    run: (name, version) => ({ command: 'dnx', args: [versioned(name, '@', version), '--yes'] }),
  },
];

interface Run {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Returns the server from a registry's `server.json`. All its packages and addresses are the same server. The one that requires
 * the least is used, and a remark names the others.
 */
export function serverOfRegistry(described: JsonObject): FoundServer | Refusal {
  const packages = objectsIn(described['packages']);
  const remotes = objectsIn(described['remotes']);
  const name = nameOf(described);
  const runnable = RUNNERS.flatMap(({ kind, run }) =>
    packages.filter((item) => kindOf(item) === kind).map((item) => ({ item, run })),
  );
  const [first] = runnable;
  const [remote] = remotes;
  const others = [
    ...packages.filter((item) => item !== first?.item).map(kindOf),
    ...(first === undefined ? [] : remotes.map((item) => textAt(item, 'url'))),
  ];
  const remarks = others.length > 0 ? { remarks: [`it is also offered as ${others.join(', ')}`] } : {};
  if (first !== undefined) return { name, ...packageServer(first.item, first.run), ...remarks };
  if (remote !== undefined) return { name, ...remoteServer(remote) };
  const kinds = packages.map(kindOf).join(', ');
  return refusedSnippet(
    `this server.json offers ${kinds === '' ? 'no package and no address' : `only ${kinds}`}, which cannot be run here: expected a package of npm, pypi, oci or nuget, or a remote address`,
  );
}

function packageServer(
  item: JsonObject,
  run: (name: string, version: string) => Run,
): Pick<FoundServer, 'client' | 'hints'> {
  const hints: Hints = new Map();
  const { command, args } = run(textAt(item, 'identifier', 'name'), textAt(item, 'version'));
  const env = Object.fromEntries(
    fieldsOf(listAt(item, 'environmentVariables', 'environment_variables'), hints),
  );
  const runtime = listAt(item, 'runtimeArguments', 'runtime_arguments').flatMap((argument) =>
    wordsOf(argument, hints),
  );
  const own = listAt(item, 'packageArguments', 'package_arguments').flatMap((argument) =>
    wordsOf(argument, hints),
  );
  const isContainer = command === 'docker';
  // A container sees only variables that its command line names.
  const passed = isContainer ? Object.keys(env).flatMap((variable) => ['-e', variable]) : [];
  const runner = isContainer ? args.slice(0, -1) : [];
  const rest = isContainer ? args.slice(-1) : args;
  const extra = runtime.filter((word) => !args.includes(word));
  return {
    client: {
      command,
      args: [...runner, ...passed, ...extra, ...rest, ...own],
      ...(Object.keys(env).length > 0 && { env }),
    },
    hints,
  };
}

function remoteServer(item: JsonObject): Pick<FoundServer, 'client' | 'hints'> {
  const hints: Hints = new Map();
  const headers = Object.fromEntries(fieldsOf(listAt(item, 'headers'), hints));
  return {
    client: {
      type: textAt(item, 'type', 'transport_type') === 'sse' ? 'sse' : 'http',
      url: filled(item, textAt(item, 'url'), hints),
      ...(Object.keys(headers).length > 0 && { headers }),
    },
    hints,
  };
}

/** Returns variables or headers with their values, without optional ones that have no value. */
function fieldsOf(fields: readonly JsonObject[], hints: Hints): readonly (readonly [string, string])[] {
  return fields.flatMap((field) => {
    const name = textAt(field, 'name');
    const value = valueOf(field, name, hints);
    return name === '' || value === undefined ? [] : [[name, value] as const];
  });
}

/** Returns `--flag value` of a named argument or the value of a positional one; empty if it is optional and has no value. */
function wordsOf(argument: JsonObject, hints: Hints): readonly string[] {
  const name = textAt(argument, 'name');
  const value = valueOf(
    argument,
    textAt(argument, 'valueHint', 'value_hint') || name.replace(/^-+/, ''),
    hints,
  );
  if (textAt(argument, 'type') !== 'named') return value === undefined ? [] : [value];
  const isNeeded = isTrue(argument, 'isRequired', 'is_required') || value !== undefined;
  return isNeeded ? [name, ...(value === undefined ? [] : [value])] : [];
}

/**
 * Returns the fixed or default value of an input, or a placeholder that the user will fill in. Undefined for an optional input
 * without a value.
 */
function valueOf(input: JsonObject, name: string, hints: Hints): string | undefined {
  const fixed = textAt(input, 'value') || textAt(input, 'default');
  if (fixed !== '') return filled(input, fixed, hints);
  if (!isTrue(input, 'isRequired', 'is_required')) return undefined;
  return placeholderOf(name === '' ? 'value' : name, input, hints);
}

/** Replaces each `{name}` in a text by a placeholder for the user to fill in, and adds its variable's description to `hints`. */
function filled(input: JsonObject, text: string, hints: Hints): string {
  const variables = isJsonObject(input['variables']) ? input['variables'] : {};
  return text.replace(/\{([\w-]{1,100})\}/g, (_, name: string) => {
    const variable = ownValue(variables, name);
    return placeholderOf(name, isJsonObject(variable) ? variable : input, hints);
  });
}

function placeholderOf(name: string, input: JsonObject, hints: Hints): string {
  const placeholder = `<${name.replace(/[^\w .-]/g, '')}>`;
  const description = textAt(input, 'description');
  const suggestion = textAt(input, 'default') || textAt(input, 'placeholder');
  hints.set(placeholder, {
    ...(description !== '' && { description }),
    ...(isTrue(input, 'isSecret', 'is_secret') && { isSecret: true }),
    ...(suggestion !== '' && { suggestion }),
    ...(textAt(input, 'format') === 'filepath' && { kind: 'path' as const }),
  });
  return placeholder;
}

/** Returns the short name: `stock` for `io.github.acme/stock`. */
function nameOf(described: JsonObject): string {
  const name = textAt(described, 'name');
  const last = name.split('/').at(-1) ?? '';
  return /^(|server|mcp|mcp-server)$/.test(last) ? name.replaceAll('/', '-') || 'server' : last;
}

const kindOf = (item: JsonObject): string =>
  textAt(item, 'registryType', 'registry_type', 'registry_name').replace(/^docker$/, 'oci') ||
  'an unknown kind';

const versioned = (name: string, mark: string, version: string): string =>
  version === '' || version === 'latest' ? name : name + mark + version;

function textAt(object: JsonObject, ...keys: readonly string[]): string {
  const value = keys.map((key) => ownValue(object, key)).find((item) => item !== undefined && item !== null);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

const isTrue = (object: JsonObject, ...keys: readonly string[]): boolean =>
  keys.some((key) => ownValue(object, key) === true);

const listAt = (object: JsonObject, ...keys: readonly string[]): readonly JsonObject[] =>
  objectsIn(keys.map((key) => ownValue(object, key)).find(Array.isArray));

const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isJsonObject) : [];
