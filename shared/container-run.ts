import { programName } from './program-name.ts';

/** Client programs of container engines. A container that they start is a child process of the engine, not of the client. */
export const CONTAINER_ENGINES = ['docker', 'podman', 'nerdctl'] as const;
export type ContainerEngine = (typeof CONTAINER_ENGINES)[number];

/** Option of a command line. A flag has a value only if one was written after `=`. */
export interface GivenOption {
  readonly name: string;
  readonly value?: string | undefined;
  /** The option as words of a command line, separated from any options it was combined with. */
  readonly words: readonly string[];
}

/** Command line that starts a container and stays attached to it: `docker -H … run -i --rm IMAGE …`. */
export interface ContainerRun {
  readonly engine: ContainerEngine;
  /** Options of the client program that select its engine: `-H …`, `--context …`. */
  readonly clientOptions: readonly string[];
  /** Index of the first option of `run` among the arguments. */
  readonly optionsAt: number;
  /** Names of the options of `run`; combined short ones are split: `-it` is `-i` and `-t`. */
  readonly options: ReadonlySet<string>;
  /** The options of `run` with their values, in order. */
  readonly given: readonly GivenOption[];
  readonly image: string;
  /** Index after the last option of `run`. */
  readonly optionsEnd: number;
  /** Words after the image, which are the server's own command line. */
  readonly serverWords: readonly string[];
}

/** Options of `run` without a value, as of docker 28 and podman 4.3. All others take one, so this shows where options end. */
const RUN_FLAGS = wordSet(
  '-d --detach --disable-content-trust --help --init -i --interactive --no-healthcheck --oom-kill-disable --privileged',
  '-P --publish-all -q --quiet --read-only --rm --sig-proxy -t --tty --use-api-socket',
  '--env-host --http-proxy --no-hosts --passwd --read-only-tmpfs --replace --rmi --rootfs --tls-verify --unsetenv-all',
);
const CLIENT_FLAGS = wordSet(
  '-D --debug --debug-full --experimental --help --insecure-registry --noout -r --remote --syslog --tls --tlsverify',
  '--trace --transient-store -v --version',
);
/**
 * Options of `run` that the panel passes on if the entry's `runOn` setting names another engine. The panel refuses all others.
 */
export const PASSED_ELSEWHERE = wordSet(
  '-i --interactive --init --rm --name -e --env --env-file -v --volume --network --net --entrypoint -w --workdir -u --user',
  '-m --memory --cpus -l --label --read-only --cap-drop --security-opt',
);
const CONTAINER_VERBS = wordSet('run exec start attach compose container');
const SHELLS = wordSet('sh bash zsh dash fish cmd powershell pwsh env sudo');

/** Returns the container that a command line runs; undefined for any other command line, or one that cannot be parsed. */
export function containerRunOf(command: string, args: readonly string[]): ContainerRun | undefined {
  const engine = engineOf(command);
  if (engine === undefined) return undefined;
  const { end: verbAt } = readOptions(args, 0, CLIENT_FLAGS);
  const runAt = args[verbAt] === 'container' ? verbAt + 1 : verbAt;
  if (args[runAt] !== 'run') return undefined;
  const { given, end } = readOptions(args, runAt + 1, RUN_FLAGS);
  const imageAt = args[end] === '--' ? end + 1 : end;
  const image = args[imageAt];
  if (image === undefined) return undefined;
  return {
    engine,
    clientOptions: args.slice(0, verbAt),
    optionsAt: runAt + 1,
    optionsEnd: end,
    options: new Set(given.map(({ name }) => name)),
    given,
    image,
    serverWords: args.slice(imageAt + 1),
  };
}

/**
 * Returns the container of a command line if the panel can learn its id, so that the panel can show, monitor and stop it. Also
 * undefined for a container that its command line hands over to others: one that is detached or has its own id file.
 */
export function ownContainerRunOf(command: string, args: readonly string[]): ContainerRun | undefined {
  const run = containerRunOf(command, args);
  return ['--cidfile', '-d', '--detach'].some((name) => run?.options.has(name)) ? undefined : run;
}

/**
 * True if a command line starts or enters a container of which the panel sees only the client: by `compose`, `exec` or `start`,
 * detached, or by a shell that runs the client.
 */
export function hidesContainer(words: readonly string[]): boolean {
  const bare = words.map((word) => word.replaceAll(/["']/g, ''));
  const at = bare.findIndex((word) => engineOf(word) !== undefined);
  if (at === -1 || (at > 0 && !SHELLS.has(programName(bare[0] ?? '')))) return false;
  const args = bare.slice(at + 1);
  if (at === 0 && ownContainerRunOf(bare[0] ?? '', args) !== undefined) return false;
  return CONTAINER_VERBS.has(args[readOptions(args, 0, CLIENT_FLAGS).end] ?? '');
}

/** Returns the container engine of a client program, given by name or path; undefined for any other command. */
export function engineOf(command: string): ContainerEngine | undefined {
  const name = programName(command);
  return CONTAINER_ENGINES.find((engine) => engine === name);
}

/** Returns the options of an engine's client program that `words` contains, such as `ContainerRun.clientOptions`. */
export const clientOptionsIn = (words: readonly string[]): readonly GivenOption[] =>
  readOptions(words, 0, CLIENT_FLAGS).given;

/**
 * Reads options from `start` on. @returns the options, and the index of the first word that is neither an option nor its value
 */
function readOptions(
  args: readonly string[],
  start: number,
  flags: ReadonlySet<string>,
): { readonly given: readonly GivenOption[]; readonly end: number } {
  const given: GivenOption[] = [];
  let end = start;
  for (; end < args.length; end += 1) {
    const word = args[end] ?? '';
    if (word === '--' || word === '-' || !word.startsWith('-')) break;
    const from = end;
    const found = optionsIn(word);
    const last = found.at(-1);
    if (last && last.value === undefined && !flags.has(last.name)) {
      end += 1;
      last.value = args[end];
    }
    for (const { name, value } of found) {
      const apart = value === undefined ? [name] : [`${name}=${value}`];
      given.push({ name, value, words: found.length === 1 ? args.slice(from, end + 1) : apart });
    }
  }
  return { given, end };

  /**
   * Returns the options in one word: `--name=value`, or combined short options. The first short option that takes a value takes
   * the rest of the word.
   */
  function optionsIn(word: string): { name: string; value?: string | undefined }[] {
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    if (name.startsWith('--')) return [{ name, value: equals < 0 ? undefined : word.slice(equals + 1) }];
    const found: { name: string; value?: string }[] = [];
    for (let index = 1; index < word.length; index += 1) {
      const short = `-${word.charAt(index)}`;
      const rest = word.slice(index + 1);
      if (rest.startsWith('=')) return [...found, { name: short, value: rest.slice(1) }];
      if (!flags.has(short) && rest !== '') return [...found, { name: short, value: rest }];
      found.push({ name: short });
    }
    return found;
  }
}

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
