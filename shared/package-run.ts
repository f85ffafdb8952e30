import type { ServerConfig } from './server-config.ts';
import { programName } from './program-name.ts';

interface CommandLine {
  readonly family: RunnerFamily;
  /** Runner, such as `npx` or `pnpm dlx`. */
  readonly runner: string;
  /** Arguments of the command line after the runner. */
  readonly rest: readonly string[];
}

/** Command that may download the program that it runs. */
export interface PackageRun {
  /** Runner, such as `npx`, `uvx` or `pnpm dlx`. */
  readonly runner: string;
  /** Packages that the command runs, without versions and extras. Empty if the command line does not name any. */
  readonly packages: readonly string[];
  /** Package as written in the command line. Defined only if that names exactly one package and does not pin its version. */
  readonly newest?: string;
  readonly isPython: boolean;
  /** Program of the package: the first plain word, or the package itself; undefined if there is none. */
  readonly program: string | undefined;
  /** Key that is equal for two starts that install into the same folder. */
  readonly installKey: string;
}

/** Package runners that install into the same folder. */
interface RunnerFamily {
  readonly name: string;
  /** Names of the family's programs. */
  readonly programs: readonly string[];
  /** Beginnings of command lines that run a package. */
  readonly runners: readonly string[];
  /**
   * Options that name the package. If one is given, the first argument that is not an option is the program within the package.
   */
  readonly packageOptions: readonly string[];
  /** Other options whose value is the next argument, so that this value is not mistaken for the package. */
  readonly valueOptions: readonly string[];
  /** True if the packages are Python packages, whose names are compared as described in PEP 503. */
  readonly isPython?: boolean;
  /** True if the program may replace the runner's process (same pid, another name). Other runners wait for a child process. */
  readonly becomesIt?: boolean;
  /** Product that contains the runner, and its installation page. */
  readonly install: readonly [product: string, page: string];
}

/** All known package runners. Add support for another runner here. */
export const RUNNER_FAMILIES: readonly RunnerFamily[] = [
  {
    name: 'npm',
    programs: ['npx', 'npm'],
    runners: ['npx', 'npm exec', 'npm x'],
    packageOptions: ['-p', '--package'],
    valueOptions: words(
      '-c --call -w --workspace --registry --prefix --cache --userconfig --loglevel --script-shell',
    ),
    install: ['Node.js', 'https://nodejs.org/en/download'],
  },
  {
    name: 'pnpm',
    programs: ['pnpm', 'pnpx'],
    runners: ['pnpx', 'pnpm dlx'],
    packageOptions: ['--package'],
    valueOptions: words('-C --dir --registry --filter --reporter --loglevel --allow-build'),
    install: ['pnpm', 'https://pnpm.io/installation'],
  },
  {
    name: 'yarn',
    programs: ['yarn'],
    runners: ['yarn dlx'],
    packageOptions: ['-p', '--package'],
    valueOptions: [],
    install: ['Yarn', 'https://yarnpkg.com/getting-started/install'],
  },
  {
    name: 'bun',
    programs: ['bunx'],
    runners: ['bunx', 'bun x'],
    packageOptions: ['-p', '--package'],
    valueOptions: [],
    install: ['Bun', 'https://bun.sh/docs/installation'],
  },
  {
    name: 'uv',
    programs: ['uvx', 'uv'],
    runners: ['uvx', 'uv tool run'],
    packageOptions: ['--from'],
    valueOptions:
      words(`-w --with --with-editable --with-requirements -p --python --index --default-index -i --index-url
    --extra-index-url -f --find-links -c --constraints -b --build-constraints --overrides -P --upgrade-package
    --refresh-package --reinstall-package -C --config-setting --cache-dir --config-file --directory --project
    --env-file --index-strategy --keyring-provider --resolution --prerelease --link-mode --exclude-newer --color`),
    isPython: true,
    becomesIt: true,
    install: ['uv', 'https://docs.astral.sh/uv/getting-started/installation/'],
  },
  {
    name: 'pipx',
    programs: ['pipx'],
    runners: ['pipx run'],
    packageOptions: ['--spec'],
    valueOptions: words('--python -i --index-url --pip-args'),
    isPython: true,
    becomesIt: true,
    install: ['pipx', 'https://pipx.pypa.io/stable/installation/'],
  },
];

/** All runners. Only those of one word, such as `npx` (but not `npm exec`), can equal the name of a program. */
const BARE_RUNNERS = new Set(RUNNER_FAMILIES.flatMap(({ runners }) => runners));

/** True if a program runs a package without a subcommand. */
export const isPackageRunner = (program: string): boolean => BARE_RUNNERS.has(programName(program));

/** Returns the packages that a server's command line installs before it runs them; undefined if it installs none. */
export function packageRunOf(config: ServerConfig): PackageRun | undefined {
  return config.transport === 'stdio' ? packageRunOfCommand(config.command, config.args) : undefined;
}

/** Returns the packages that a command line installs and runs; undefined if it installs nothing. */
export function packageRunOfCommand(command: string, args: readonly string[]): PackageRun | undefined {
  const commandLine = commandLineOf([command, ...args]);
  if (!commandLine) return undefined;
  const { family, runner } = commandLine;
  const { named, program } = readPackages(commandLine);
  const packages = named.map((spec) => packageName(spec, family));
  const [spec = ''] = named;
  const isOpen = named.length === 1 && /^(?:@[\w.~-]+\/)?[\w.~-]+(?:@latest)?$/.test(spec);
  return {
    runner,
    packages,
    ...(isOpen && { newest: spec }),
    isPython: family.isPython ?? false,
    program,
    installKey: [family.name, ...packages.sort()].join(' '),
  };
}

/** Returns a key that is equal for two servers that must not install at the same time; undefined if nothing is installed. */
export function installKey(config: ServerConfig): string | undefined {
  return packageRunOf(config)?.installKey;
}

/**
 * Returns the reason why a start may take minutes, as text to show with the state; undefined for servers that install nothing.
 */
export function preparingReason(config: ServerConfig): string | undefined {
  const run = packageRunOf(config);
  if (!run) return undefined;
  return `preparing: ${run.runner} may be downloading ${run.packages.join(', ') || 'it'}`;
}

function commandLineOf([command = '', ...args]: readonly string[]): CommandLine | undefined {
  const program = programName(command);
  // Entries for Windows are commonly written as `cmd /c npx …`.
  if (program === 'cmd') return commandLineOf(args.slice(args.findIndex((word) => !word.startsWith('/'))));
  for (const family of RUNNER_FAMILIES)
    for (const runner of family.runners) {
      const [first, ...others] = runner.split(' ');
      const isIt = first === program && others.every((word, index) => args[index] === word);
      if (isIt) return { family, runner, rest: args.slice(others.length) };
    }
  return undefined;
}

/** Returns the packages and the program to run. Options name the packages, or else the first argument that is no option. */
function readPackages({ family, rest }: CommandLine): { named: string[]; program: string | undefined } {
  const named: string[] = [];
  const ran = (program: string | undefined) =>
    named.length > 0 || program === undefined
      ? { named, program: program ?? named[0] }
      : { named: [program], program };
  for (let index = 0; index < rest.length; index += 1) {
    const [option, value] = splitOption(rest[index] ?? '');
    if (family.packageOptions.includes(option)) named.push(value ?? rest[(index += 1)] ?? '');
    else if (value === undefined && family.valueOptions.includes(option)) index += 1;
    else if (option === '--') return ran(rest[index + 1]);
    else if (!option.startsWith('-')) return ran(option);
  }
  return ran(undefined);
}

function splitOption(word: string): readonly [option: string, value?: string] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

/** Returns the package's name without its version, as all versions share a cache in which the installer separates them. */
function packageName(spec: string, { isPython = false }: RunnerFamily): string {
  if (/:|^[./~]/.test(spec)) return spec;
  if (!isPython) return upTo(spec, spec.indexOf('@', 1));
  const name = upTo(spec, spec.search(/[@[<>=!~; ]/));
  // Names of Python packages are normalized like this (PEP 503).
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

const upTo = (text: string, index: number): string => (index === -1 ? text : text.slice(0, index));

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}
