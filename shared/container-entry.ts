import {
  containerRunOf,
  engineOf,
  ownContainerRunOf,
  PASSED_ELSEWHERE,
  type GivenOption,
} from './container-run.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { ownValue } from './own-value.ts';
import { packageRunOfCommand } from './package-run.ts';
import type { RunOn } from './panel-settings.ts';
import { programName } from './program-name.ts';

/** Engines whose client can run a package in a container. */
export const PACKAGE_ENGINES = ['docker', 'podman'] as const;
export type PackageEngine = (typeof PACKAGE_ENGINES)[number];

/** Folder or file of this machine that is available in the container under the same path. */
export interface SharedFolder {
  readonly path: string;
  readonly isWritable: boolean;
}

export interface ContainerChoice {
  readonly engine: PackageEngine;
  /** Name of the server. The volume of its cache is named after it. */
  readonly server: string;
  /** Version that replaces an unpinned version in the command line; undefined to leave it unpinned. */
  readonly version: string | undefined;
  readonly folders: readonly SharedFolder[];
}

/**
 * For each runner (`npx`, `uvx`), the image in which it runs and the folder where it stores downloads. Image names are
 * complete, because podman may have no default registry.
 */
const RUNTIMES = new Map([
  ['npx', { image: 'docker.io/library/node:22', cache: '/root/.npm' }],
  ['uvx', { image: 'ghcr.io/astral-sh/uv:python3.13-bookworm', cache: '/root/.cache/uv' }],
]);
/** Variables that are not passed to the container, because its image sets them. */
const OF_IMAGE = new Set(['PATH', 'HOME']);
type PackageLine = NonNullable<ReturnType<typeof containablePackage>>;

/** Returns the package that a command line runs by `npx` or `uvx`, and the words after the runner; otherwise undefined. */
export function containablePackage([command = '', ...args]: readonly string[]) {
  const run = packageRunOfCommand(command, args);
  if (run === undefined || run.packages.length === 0 || !RUNTIMES.has(run.runner)) return undefined;
  const words = [command, ...args];
  return { run, rest: words.slice(words.findIndex((word) => programName(word) === run.runner) + 1) };
}

/**
 * Returns the entry with a command line that runs its package in a container; undefined if the entry does not run a package.
 * Only `command` and `args` change: the values of variables stay in `env`, and the engine's client passes them on by name.
 */
export function inContainer(entry: JsonObject, { engine, server, version, folders }: ContainerChoice) {
  const line = containablePackage(wordsOf(entry));
  const runtime = RUNTIMES.get(line?.run.runner ?? '');
  if (line === undefined || runtime === undefined) return undefined;
  const args = [
    ...['run', '-i', '--rm', '--init'],
    ...['-v', `mcp-cache-${server.replaceAll(/[^\w.-]/g, '-')}:${runtime.cache}`],
    ...passedVariables(entry).flatMap((name) => ['-e', name]),
    ...mountsOf(folders),
    // Packages from a repository are fetched with git, which the slim images do not contain, so they need the full image.
    line.run.packages.some((name) => name.includes(':')) ? runtime.image : `${runtime.image}-slim`,
    ...[line.run.runner, ...pinned(line, version)],
  ];
  return { ...entry, command: engine, args };
}

// `--mount` is used because, unlike `-v`, it never creates a missing folder.
const mountsOf = (folders: readonly SharedFolder[]): readonly string[] =>
  folders.flatMap(({ path, isWritable }) => [
    '--mount',
    `type=bind,src=${path},dst=${path}${isWritable ? '' : ',readonly'}`,
  ]);

/** True if a server can be moved to another engine: it is a package, or a container that an engine's client runs. */
export const isMovable = ([command = '', ...args]: readonly string[]): boolean =>
  containablePackage([command, ...args]) !== undefined || ownContainerRunOf(command, args) !== undefined;

/**
 * Returns the entry, changed so that its server runs on another engine or, without `place`, in a container on this machine;
 * undefined if the server cannot run in a container. On another engine, options that refer to this machine's files or engine
 * are left out.
 */
export function movedEntry(
  entry: JsonObject,
  { place, ...choice }: ContainerChoice & { place?: RunOn | undefined },
) {
  const folders = place ? [] : choice.folders;
  const packed = inContainer(entry, { ...choice, folders });
  const [command = '', ...args] = wordsOf(packed ?? entry);
  const run = ownContainerRunOf(command, args);
  if (run === undefined) return undefined;
  const kept = run.given.filter((option) => place === undefined || comesAlong(option));
  const words = [
    ...[...(place ? [] : run.clientOptions), 'run', ...kept.flatMap((option) => option.words)],
    ...[...(packed ? [] : mountsOf(folders)), run.image, ...run.serverWords],
  ];
  return placed({ ...entry, command: place ? 'docker' : choice.engine, args: words }, place);
}

/** Returns a copy of the entry whose server runs on the given engine, or on this machine. */
function placed<E extends JsonObject>({ panel, ...entry }: E, place?: RunOn) {
  const given = Object.entries({ ...(isJsonObject(panel) && panel), runOn: place });
  const settings = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return Object.keys(settings).length === 0 ? entry : { ...entry, panel: settings };
}

/** Options of an entry's `docker run` that are not moved to another engine, as text. */
export const optionsLeftBehind = (entry: JsonObject): readonly string[] => {
  const run = runIn(entry);
  const left = run?.given.filter((option) => !comesAlong(option)) ?? [];
  return [...(run?.clientOptions ?? []), ...left.map(({ words }) => words.join(' '))];
};

/**
 * Returns the names of the variables whose values are sent to the engine: `own` are those with a value from the entry,
 * `ofMachine` those with a value from this machine's environment. `files` are the files named by `--env-file`.
 */
export function variablesSent(entry: JsonObject) {
  const env = isJsonObject(entry['env']) ? entry['env'] : {};
  const given = runIn(entry)?.given ?? [];
  const named = given.flatMap(({ name, value = '' }) => (name === '-e' || name === '--env' ? [value] : []));
  const isOwn = (word: string) => word.includes('=') || Object.hasOwn(env, word);
  return {
    own: named.filter(isOwn).map((word) => word.split('=', 1)[0] ?? ''),
    ofMachine: named.filter((word) => !isOwn(word)),
    files: given.flatMap(({ name, value }) => (name === '--env-file' && value !== undefined ? [value] : [])),
  };
}

function runIn(entry: JsonObject) {
  const [command = '', ...args] = wordsOf(entry);
  return containerRunOf(command, args);
}

/** True if an option means the same on another engine, where files of this machine are missing. */
const comesAlong = ({ name, value = '' }: GivenOption): boolean =>
  PASSED_ELSEWHERE.has(name) &&
  !((name === '-v' || name === '--volume') && /^[./~\\]|^[A-Za-z]:/.test(value) && value.includes(':'));

/**
 * Reverses `inContainer`: returns the entry for running on this machine, with the version still pinned; undefined if the entry
 * was not written by `inContainer`.
 */
export function outOfContainer(entry: JsonObject) {
  const [command, ...args] = packageWordsIn(wordsOf(entry)) ?? [];
  return command === undefined ? undefined : placed({ ...entry, command, args });
}

/** Returns the package's command line from a command line that `inContainer` made; undefined for any other. */
export function packageWordsIn(words: readonly string[]): readonly string[] | undefined {
  if (engineOf(words[0] ?? '') === undefined) return undefined;
  const imageAt = words.findIndex((word, index) => {
    const image = RUNTIMES.get(words[index + 1] ?? '')?.image;
    return image !== undefined && (word === image || word === `${image}-slim`);
  });
  return imageAt === -1 ? undefined : words.slice(imageAt + 1);
}

/** Absolute paths in arguments and variables. A container cannot access them unless they are shared. The paths may not exist. */
export function pathsIn(entry: JsonObject): readonly string[] {
  const env = isJsonObject(entry['env']) ? entry['env'] : {};
  const values = passedVariables(entry).map((name) => ownValue(env, name));
  const texts = [...wordsOf(entry).slice(1), ...values].filter((value) => typeof value === 'string');
  const paths = texts.map((text) => (text.startsWith('--') ? text.slice(text.indexOf('=') + 1) : text));
  return [...new Set(paths)].filter(canBeShared);
}

/**
 * True if a path can be shared with a container: it is absolute, is not the whole disk, and contains no character that an
 * engine would take for the end of the path.
 */
export const canBeShared = (path: string): boolean => /^\/[^/,:"\n][^,:"\n]*$/.test(path);

/** Variables of the entry that reach the server in a container. */
const passedVariables = (entry: JsonObject): readonly string[] =>
  Object.keys(isJsonObject(entry['env']) ? entry['env'] : {}).filter(
    (name) => name !== '' && !OF_IMAGE.has(name.toUpperCase()),
  );

function wordsOf({ command, args = [] }: JsonObject): readonly string[] {
  const isLine = typeof command === 'string' && Array.isArray(args);
  return isLine ? [command, ...(args as readonly unknown[]).filter((word) => typeof word === 'string')] : [];
}

function pinned(
  { run: { newest, isPython }, rest }: PackageLine,
  version: string | undefined,
): readonly string[] {
  if (newest === undefined || version === undefined) return rest;
  const at = rest.findIndex(
    (word) => word === newest || (word.startsWith('-') && word.endsWith(`=${newest}`)),
  );
  const isOption = rest[at - 1] === '--from' || rest[at]?.startsWith('--from=') === true;
  const name = newest.replace(/@latest$/, '');
  const spec = `${name}${isPython && isOption ? '==' : '@'}${version}`;
  return rest.map((word, index) => (index === at ? word.slice(0, word.length - newest.length) + spec : word));
}
