import type { ServerConfig } from '../../../../shared/server-config.ts';
import { programName } from '../../platform/wrapper-programs.ts';

type Family = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'uv' | 'pipx';

interface CommandLine {
  readonly family: Family;
  /** `npx`, `pnpm dlx`, … */
  readonly runner: string;
  /** The words after it. */
  readonly rest: readonly string[];
}

/** A command that may download what it runs. */
export interface PackageRun {
  /** `npx`, `uvx`, `pnpm dlx`, … */
  readonly runner: string;
  /** What it runs, without version and extras; empty when the command line does not tell. */
  readonly packages: readonly string[];
  /** Equal for two starts that install into the same place. */
  readonly installKey: string;
}

/** The runners by the first words of their command line. */
const RUNNERS: readonly (readonly [words: string, family: Family])[] = [
  ['npx', 'npm'],
  ['npm exec', 'npm'],
  ['npm x', 'npm'],
  ['pnpx', 'pnpm'],
  ['pnpm dlx', 'pnpm'],
  ['yarn dlx', 'yarn'],
  ['bunx', 'bun'],
  ['bun x', 'bun'],
  ['uvx', 'uv'],
  ['uv tool run', 'uv'],
  ['pipx run', 'pipx'],
];

/** Options that name the package; the first plain word is then the program within it. */
const PACKAGE_OPTIONS: Readonly<Record<Family, readonly string[]>> = {
  npm: ['-p', '--package'],
  pnpm: ['--package'],
  yarn: ['-p', '--package'],
  bun: ['-p', '--package'],
  uv: ['--from'],
  pipx: ['--spec'],
};

/** Other options whose value is a word of its own, which must not be taken for the package. */
const VALUE_OPTIONS: Readonly<Record<Family, readonly string[]>> = {
  npm: words('-c --call -w --workspace --registry --prefix --cache --userconfig --loglevel --script-shell'),
  pnpm: words('-C --dir --registry --filter --reporter --loglevel --allow-build'),
  yarn: [],
  bun: [],
  uv: words(`-w --with --with-editable --with-requirements -p --python --index --default-index -i --index-url
    --extra-index-url -f --find-links -c --constraints -b --build-constraints --overrides -P --upgrade-package
    --refresh-package --reinstall-package -C --config-setting --cache-dir --config-file --directory --project
    --env-file --index-strategy --keyring-provider --resolution --prerelease --link-mode --exclude-newer --color`),
  pipx: words('--python -i --index-url --pip-args'),
};

/** What a server's command line installs before it runs. Undefined for servers that install nothing. */
export function packageRunOf(config: ServerConfig): PackageRun | undefined {
  return config.transport === 'stdio' ? packageRunOfCommand(config.command, config.args) : undefined;
}

/** The same of a command line. */
export function packageRunOfCommand(command: string, args: readonly string[]): PackageRun | undefined {
  const commandLine = commandLineOf([command, ...args]);
  if (!commandLine) return undefined;
  const { family, runner } = commandLine;
  const packages = packagesOf(commandLine).map((spec) => packageName(spec, family));
  return { runner, packages, installKey: [family, ...packages.sort()].join(' ') };
}

/** Equal for two starts that must not install at the same time. Undefined for servers that install nothing. */
export function installKey(config: ServerConfig): string | undefined {
  return packageRunOf(config)?.installKey;
}

/** Why a start may take minutes, in words for the state; undefined for servers that install nothing. */
export function preparingReason(config: ServerConfig): string | undefined {
  const run = packageRunOf(config);
  if (!run) return undefined;
  return `preparing: ${run.runner} may be downloading ${run.packages.join(', ') || 'it'}`;
}

function commandLineOf([command = '', ...args]: readonly string[]): CommandLine | undefined {
  const program = programName(command);
  // `cmd /c npx …` is how entries for Windows are commonly written.
  if (program === 'cmd') return commandLineOf(args.slice(args.findIndex((word) => !word.startsWith('/'))));
  for (const [runner, family] of RUNNERS) {
    const [first, ...others] = runner.split(' ');
    const isIt = first === program && others.every((word, index) => args[index] === word);
    if (isIt) return { family, runner, rest: args.slice(others.length) };
  }
  return undefined;
}

/** The packages named by options; without any, the first plain word. */
function packagesOf({ family, rest }: CommandLine): string[] {
  const named: string[] = [];
  for (let index = 0; index < rest.length; index += 1) {
    const [option, value] = splitOption(rest[index]!);
    if (PACKAGE_OPTIONS[family].includes(option)) named.push(value ?? rest[(index += 1)] ?? '');
    else if (value === undefined && VALUE_OPTIONS[family].includes(option)) index += 1;
    else if (option === '--') return named.length > 0 ? named : rest.slice(index + 1, index + 2);
    else if (!option.startsWith('-')) return named.length > 0 ? named : [option];
  }
  return named;
}

function splitOption(word: string): readonly [option: string, value?: string] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

/** Two versions share a cache; which file belongs to which is up to the installer. */
function packageName(spec: string, family: Family): string {
  if (/:|^[./~]/.test(spec)) return spec;
  if (family !== 'uv' && family !== 'pipx') return upTo(spec, spec.indexOf('@', 1));
  const name = upTo(spec, spec.search(/[@[<>=!~; ]/));
  // Names of Python packages compare like this (PEP 503).
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

const upTo = (text: string, index: number): string => (index === -1 ? text : text.slice(0, index));

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}
