/** Locations of other clients' files on the inspected machine. */
export interface ImportEnvironment {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** %APPDATA%; if undefined, `<home>\AppData\Roaming`. */
  readonly appData?: string;
  /** %LOCALAPPDATA%; if undefined, `<home>\AppData\Local`. */
  readonly localAppData?: string;
  /** $XDG_CONFIG_HOME; if undefined, `<home>/.config`. */
  readonly xdgConfigHome?: string;
  /** $CLAUDE_CONFIG_DIR, the folder that contains .claude.json instead of the home folder. */
  readonly claudeConfigDir?: string;
  /** $CODEX_HOME; if undefined, `<home>/.codex`. */
  readonly codexHome?: string;
  /** $COPILOT_HOME; if undefined, `<home>/.copilot`. */
  readonly copilotHome?: string;
  /** Returns the names of a folder's subfolders, to find files in those whose names are not known in advance. Default: none. */
  readonly foldersIn?: (path: string) => readonly string[];
}
