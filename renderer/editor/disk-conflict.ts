import type { EntryOnDisk } from '../entry/entry-on-disk.ts';
import { isSameJson, type RawEntry } from '../entry/raw-entry.ts';
import { changedKeys } from '../entry/shown-entry.ts';

export interface DiskConflict {
  /** Entry on disk; absent if it was removed from the file. */
  readonly onDisk?: RawEntry;
  /** Keys that differ from the base of the edit. */
  readonly changed: readonly string[];
}

/**
 * Conflict of the file with `base`; undefined without one. `base` is absent once a removal has been accepted. An
 * unreadable file is no conflict.
 */
export function conflictOf(
  base: RawEntry | undefined,
  { entry, error }: EntryOnDisk,
): DiskConflict | undefined {
  if (entry !== undefined)
    return isSameJson(base, entry) ? undefined : { onDisk: entry, changed: changedKeys(base ?? {}, entry) };
  return error?.code === 'SERVER_UNKNOWN' && base !== undefined ? { changed: [] } : undefined;
}
