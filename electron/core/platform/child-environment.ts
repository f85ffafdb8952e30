import { mergeEnvironments } from './environment-names.ts';

/** The variable that marks every process of one run; children inherit it, so escapees are found by it. */
export const RUN_MARKER_NAME = 'MCP_CONTROL_PANEL_RUN';

export interface ChildEnvironmentOptions {
  /** What the child inherits, PATH included: see `personEnvironment`. */
  readonly inherited: Readonly<Record<string, string>>;
  /** Absolute; where the child starts. */
  readonly cwd?: string | undefined;
  /** `env` of the server's entry; wins over everything but the marker. */
  readonly entry: Readonly<Record<string, string>>;
  readonly marker: string;
  /** Default: ours. */
  readonly platform?: NodeJS.Platform;
}

/** The environment of one run: what it inherits, its folder, the entry's own variables, the marker. */
export function childEnvironment({
  inherited,
  cwd,
  entry,
  marker,
  platform = process.platform,
}: ChildEnvironmentOptions): Record<string, string> {
  // Programs that look at PWD take it for their folder; ours says where the panel was started.
  const folder = cwd === undefined || inherited['PWD'] === undefined ? {} : { PWD: cwd };
  return mergeEnvironments(platform, inherited, folder, entry, { [RUN_MARKER_NAME]: marker });
}
