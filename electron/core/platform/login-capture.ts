/** The part of the environment that a terminal of this user would have. */
export interface LoginCapture {
  readonly path?: string;
  /** `fallback`: well-known folders that exist on this machine. `registry`: Windows. `none`: there is nothing to add. */
  readonly source: 'shell' | 'fallback' | 'registry' | 'none';
  /** Reason why the source is not the shell. */
  readonly problem?: string;
  /** Requested variables that the shell has; absent when it has none of the requested ones. */
  readonly variables?: Readonly<Record<string, string>>;
  /** All variables of the shell; present only with `keepsAll`. */
  readonly all?: ReadonlyMap<string, string>;
}
