import type { ErrorReport } from '../../shared/error-codes.ts';
import type { RawEntry } from './raw-entry.ts';

/** Entry in servers.json under a name, or the error; neither until the file has been read. */
export interface EntryOnDisk {
  readonly entry?: RawEntry;
  /**
   * Error of the reading: SERVER_UNKNOWN where there is no such entry, CONFIG_BROKEN where the file cannot be
   * read.
   */
  readonly error?: ErrorReport;
}
