import { CONTAINER_ENGINES } from '../../../shared/container-run.ts';
import { RUNNER_FAMILIES } from '../../../shared/package-run.ts';
import { programName } from '../../../shared/program-name.ts';

/**
 * Kind of wrapper, a program that runs another program. A `shell` runs a command line. A `package runner` installs a program
 * and waits for it. An `environment` prepares versions, folders or variables for the program. A `relay` changes how the program
 * runs (user, limits, display). A `container engine` runs the program outside the process table that the panel sees.
 */
type WrapperKind = 'shell' | 'package runner' | 'environment' | 'relay' | 'container engine';

interface WrapperProgram {
  readonly kind: WrapperKind;
  /** True if the wrapper exits with 128 plus the signal number when a signal ended its child. */
  readonly tellsSignals: boolean;
  /**
   * True if the wrapper may replace itself with the child (exec), so that the process continues under the child's name, instead
   * of waiting for it.
   */
  readonly mayBecomeIt: boolean;
}

interface Group extends Partial<WrapperProgram> {
  readonly kind: WrapperKind;
  readonly names: string;
}

const GROUPS: readonly Group[] = [
  { kind: 'shell', tellsSignals: true, names: 'sh bash dash ash zsh fish ksh mksh busybox' },
  { kind: 'shell', names: 'cmd powershell pwsh' },
  ...RUNNER_FAMILIES.map(({ programs, becomesIt = false }): Group => ({
    kind: 'package runner',
    tellsSignals: true,
    mayBecomeIt: becomesIt,
    names: programs.join(' '),
  })),
  { kind: 'environment', tellsSignals: true, names: 'bun poetry' },
  { kind: 'environment', names: 'corepack volta volta-shim fnm nvm mise asdf direnv nix' },
  { kind: 'environment', names: 'pdm hatch rye pixi conda mamba micromamba' },
  { kind: 'environment', names: 'dotenv dotenvx op doppler infisical' },
  { kind: 'relay', tellsSignals: true, names: 'env timeout tini dumb-init xvfb-run' },
  { kind: 'relay', names: 'sudo su nice nohup stdbuf setsid' },
  { kind: 'container engine', tellsSignals: true, names: CONTAINER_ENGINES.join(' ') },
];

const PROGRAMS: ReadonlyMap<string, WrapperProgram> = new Map(
  GROUPS.flatMap(({ names, kind, tellsSignals = false, mayBecomeIt = false }) =>
    names.split(' ').map((name) => [name, { kind, tellsSignals, mayBecomeIt }] as const),
  ),
);

export const programsOfKind = (wanted: WrapperKind): readonly string[] =>
  [...PROGRAMS].flatMap(([name, { kind }]) => (kind === wanted ? [name] : []));

export function wrapperOfCommand(command: string): WrapperProgram | undefined {
  return PROGRAMS.get(programName(command));
}

/** @param name short name of a process. The process of npm sets its name to its command line, such as `npm exec @scope…`. */
export function wrapperOfProcess(name: string): WrapperProgram | undefined {
  return wrapperOfCommand(name.split(' ')[0] ?? '');
}

/**
 * Returns the commands, each with its arguments, that remain after unwrapping shells and other wrappers. One command line may
 * contain several.
 */
export function commandsIn(words: readonly string[]): readonly (readonly string[])[] {
  const [command = '', ...args] = words;
  const kind = wrapperOfCommand(command)?.kind;
  if (kind === undefined || kind === 'container engine') return [words];
  const text = kind === 'shell' ? scriptOf(args) : undefined;
  if (text !== undefined) return commandsOfScript(text).flatMap(commandsIn);
  const at = args.findIndex((word) => !isOfWrapper(word));
  // Keeps the wrapper's own words too, because they may name a bridge (a program that connects to a remote server).
  return at < 0 ? [words] : [words, ...commandsIn(args.slice(at))];
}

/**
 * Matches arguments that belong to a wrapper, not to the program it runs: options, variables, durations, and subcommands of
 * package runners.
 */
const isOfWrapper = (word: string): boolean =>
  /^(?:-|\/[ck]$|\w+=|\d+[smhd]?$)/i.test(word) || /^(?:exec|x|run|tool|dlx)$/.test(word);

function scriptOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => /^-[a-z]{0,4}c$|^-command$/i.test(word));
  return at < 0 ? undefined : args.slice(at + 1).join(' ');
}

function commandsOfScript(text: string): readonly (readonly string[])[] {
  return text.split(/[;&|\n]/).map((line) => {
    const words = line.split(/[\s"'()]/).filter((word) => word !== '');
    return words.slice(words.findIndex((word) => !/^\w+=/.test(word) && word !== 'exec'));
  });
}
