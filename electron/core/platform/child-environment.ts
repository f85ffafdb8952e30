import { ownValue } from '../../../shared/own-value.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the value of an environment variable. On Windows, `Path` and `PATH` are the same name; if there are several
 * spellings, the value of the last one is returned.
 */
export function variableOf(
  environment: Environment,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return ownValue(environment, name);
  const wanted = name.toUpperCase();
  return Object.entries(environment)
    .filter(([other, value]) => value !== undefined && other.toUpperCase() === wanted)
    .at(-1)?.[1];
}

/**
 * Merges environments; if several contain a variable, the last one counts. On Windows, names are compared without case, and the
 * result contains only the last spelling. Otherwise Node.js would use the alphabetically first one.
 */
export function mergeEnvironments(
  platform: NodeJS.Platform,
  ...environments: readonly Readonly<Record<string, string>>[]
): Record<string, string> {
  if (platform !== 'win32')
    return Object.fromEntries(environments.flatMap((environment) => Object.entries(environment)));
  const merged = new Map<string, readonly [name: string, value: string]>();
  for (const environment of environments)
    for (const [name, value] of Object.entries(environment)) merged.set(name.toUpperCase(), [name, value]);
  return Object.fromEntries(merged.values());
}

/**
 * Name of the variable that marks every process of one run. Child processes inherit the variable, so that processes that left
 * their process group can still be recognized.
 */
export const RUN_MARKER_NAME = 'MCP_CONTROL_PANEL_RUN';

interface ChildEnvironmentOptions {
  /** Variables that the child inherits from the user's environment, including PATH; see `personEnvironment`. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** `env` of the server's entry; it overrides all other variables except the run marker. */
  readonly entry: Readonly<Record<string, string>>;
  readonly marker: string;
  readonly platform?: NodeJS.Platform;
}

/**
 * Returns the environment of the server's process for one run: inherited variables, PWD, the `env` of the server's entry, and
 * the run marker.
 */
export function childEnvironment({
  inherited,
  cwd,
  entry,
  marker,
  platform = process.platform,
}: ChildEnvironmentOptions): Record<string, string> {
  // PWD is set because some programs read their working folder from it, and the inherited PWD is the folder where the panel was
  // started.
  const folder = cwd === undefined || inherited['PWD'] === undefined ? {} : { PWD: cwd };
  return mergeEnvironments(platform, inherited, folder, entry, { [RUN_MARKER_NAME]: marker });
}
