/** What went wrong without anybody waiting for it. */
export type WarningKind =
  /** A teardown took longer than `closeTimeoutMs`; its room is used again all the same. The error is why it was ended. */
  | 'teardown-late'
  /** Closing a connection failed. */
  | 'teardown-failed'
  /** A connection did not say whether it is in use; it counts as used. */
  | 'idle-check-failed'
  /** A sweep failed; the next one comes all the same. */
  | 'sweep-failed';

export interface SessionWarning {
  readonly kind: WarningKind;
  readonly error: unknown;
  readonly key: string;
  /** Absent when the warning is about no session in particular. */
  readonly generation?: number;
}
