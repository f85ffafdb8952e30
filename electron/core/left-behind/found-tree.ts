import type { ProcessIdentity, ProcessReading } from '../platform/process-table.ts';

/** Servers of a client that is gone, as one scan finds them. */
export interface FoundTree {
  /** Root first, parents before children. */
  readonly tree: readonly ProcessReading[];
  /** Id of the client; undefined where it is not known. */
  readonly client?: string;
  /** Name of its entry there. */
  readonly server?: string;
  /** Name of its program or package. */
  readonly name?: string;
  /** Nobody has the other ends of its streams. False where this system does not say. */
  readonly isCertain: boolean;
  /** Others may come to a port or a named socket of it. */
  readonly listens: boolean;
  /** Pids in the tree that are spared, with what is below them. */
  readonly daemons: readonly number[];
}

/** Scans for processes that clients left behind. */
export type ScanForLeft = () => Promise<readonly FoundTree[]>;

/** Identity as text, for calls of the page. */
export const processKey = ({ pid, startTime }: ProcessIdentity): string => `${pid}:${startTime}`;
