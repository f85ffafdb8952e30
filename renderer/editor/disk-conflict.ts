import type { EntryOnDisk } from '../entry/entry-on-disk.ts';
import { isSameJson, type RawEntry } from '../entry/raw-entry.ts';
import { changedKeys } from '../entry/shown-entry.ts';

export interface DiskConflict {
  /** Absent when the entry was taken out of the file. */
  readonly onDisk?: RawEntry;
  /** Keys that differ from what the edit is based on. */
  readonly changed: readonly string[];
}

/**
 * Whether the file says something else than `base`, which is absent once a removal has been accepted. A file that cannot be
 * read says nothing.
 */
export function conflictOf(
  base: RawEntry | undefined,
  { entry, error }: EntryOnDisk,
): DiskConflict | undefined {
  if (entry !== undefined)
    return isSameJson(base, entry) ? undefined : { onDisk: entry, changed: changedKeys(base ?? {}, entry) };
  return error?.code === 'SERVER_UNKNOWN' && base !== undefined ? { changed: [] } : undefined;
}
