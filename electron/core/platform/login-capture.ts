/** What a terminal of this person would have. */
export interface LoginCapture {
  readonly path?: string;
  /** `fallback`: well-known folders that exist here. `registry`: Windows. `none`: there is nothing to add. */
  readonly source: 'shell' | 'fallback' | 'registry' | 'none';
  /** Why it was not the shell. */
  readonly problem?: string;
  /** The wanted variables that the shell has; absent when it has none of them. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Everything that the shell has; only where `keepsAll` was asked for. */
  readonly all?: ReadonlyMap<string, string>;
}
