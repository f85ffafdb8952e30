/** Locations of other clients' files on the inspected machine. */
export interface ImportEnvironment {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** %APPDATA%; `<home>\AppData\Roaming` without it. */
  readonly appData?: string;
  /** %LOCALAPPDATA%; `<home>\AppData\Local` without it. */
  readonly localAppData?: string;
  /** $XDG_CONFIG_HOME; `<home>/.config` without it. */
  readonly xdgConfigHome?: string;
  /** $CLAUDE_CONFIG_DIR, the folder that contains .claude.json instead of the home folder. */
  readonly claudeConfigDir?: string;
  /** $CODEX_HOME; `<home>/.codex` without it. */
  readonly codexHome?: string;
  /** $COPILOT_HOME; `<home>/.copilot` without it. */
  readonly copilotHome?: string;
  /**
   * Returns the names of the folders in a folder, to find files in folders whose names are not known in advance. Default: finds
   * none.
   */
  readonly foldersIn?: (path: string) => readonly string[];
}
