import type { ErrorReport } from '../../shared/error-codes.ts';
import type { RawEntry } from './raw-entry.ts';

/** What stands in servers.json under a name; neither of the two until it has been read. */
export interface EntryOnDisk {
  readonly entry?: RawEntry;
  /** SERVER_UNKNOWN: nothing stands there. CONFIG_BROKEN: the file cannot be read. */
  readonly error?: ErrorReport;
}
