import { mergeEnvironments } from './environment-names.ts';

/** Name of the variable that marks every process of one run. Children inherit it, so that it identifies escapees. */
export const RUN_MARKER_NAME = 'MCP_CONTROL_PANEL_RUN';

export interface ChildEnvironmentOptions {
  /** Variables that the child inherits, including PATH: see `personEnvironment`. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** `env` of the server's entry; it overrides all other variables but the marker. */
  readonly entry: Readonly<Record<string, string>>;
  readonly marker: string;
  readonly platform?: NodeJS.Platform;
}

/** Returns the environment of one run: inherited variables, PWD, the entry's own variables, the marker. */
export function childEnvironment({
  inherited,
  cwd,
  entry,
  marker,
  platform = process.platform,
}: ChildEnvironmentOptions): Record<string, string> {
  // Some programs read their working folder from PWD, and the panel's PWD names the folder where the panel was started.
  const folder = cwd === undefined || inherited['PWD'] === undefined ? {} : { PWD: cwd };
  return mergeEnvironments(platform, inherited, folder, entry, { [RUN_MARKER_NAME]: marker });
}
