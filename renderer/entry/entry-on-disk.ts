import type { ErrorReport } from '../../shared/error-codes.ts';
import type { RawEntry } from './raw-entry.ts';

/** Entry in servers.json under a name, or the error; both are absent until the file has been read. */
export interface EntryOnDisk {
  readonly entry?: RawEntry;
  /** Error of the read: SERVER_UNKNOWN if there is no such entry, CONFIG_BROKEN if the file cannot be read. */
  readonly error?: ErrorReport;
}
