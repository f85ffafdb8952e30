import type { Clock, Disposable } from '../../clock.ts';
import { readContent, readSignature } from '../../files/file-content.ts';
import { MAX_FOREIGN_BYTES } from '../../files/foreign-file.ts';
import { foreignPrograms } from '../programs/programs.ts';
import { openText } from '../programs/spans/open-text.ts';
import { isUnreadable } from '../programs/spans/servers-text.ts';
import type { MovedEntry, MovedFile } from './moved-file.ts';
import { standsAsWritten } from './record.ts';

const LOOK_MS = 2000;

export interface LostWatchOptions {
  readonly moved: MovedFile;
  readonly clock: Clock;
  /** Called once for each entry of the panel that another program has overwritten or removed. */
  readonly onLost: (entry: MovedEntry, label: string) => void;
}

/** Watches other programs' files that contain entries written by the panel. Reads a file again when its time stamp changes. */
export function watchForLost({ moved, clock, onLost }: LostWatchOptions): Disposable {
  const signatures = new Map<string, string>();
  /**
   * Keys of the entries that were unchanged at the last check. After the first check, only these can be reported as lost: an
   * entry is written a moment after its record in moved.json, so a new one may not exist yet.
   */
  const standing = new Set<string>();
  let isFirst = true;
  let isDisposed = false;
  let timer: Disposable | undefined;
  let records: readonly MovedEntry[] = [];
  const look = async (): Promise<void> => {
    const signature = await readSignature(moved.path);
    // A broken moved.json is not reported here, but by the operations that need it.
    if (signatures.get(moved.path) !== signature) records = await moved.read().catch(() => []);
    signatures.set(moved.path, signature);
    for (const path of new Set(records.map((record) => record.path))) {
      const current = await readSignature(path);
      if (signatures.get(path) === current) continue;
      signatures.set(path, current);
      await lookInto(
        path,
        records.filter((record) => record.path === path),
      );
    }
    isFirst = false;
    if (!isDisposed) timer = clock.setTimeout(() => void look(), LOOK_MS);
  };
  const lookInto = async (path: string, records: readonly MovedEntry[]): Promise<void> => {
    const program = foreignPrograms.find(({ id }) => id === records[0]?.program);
    const content = await readContent(path, MAX_FOREIGN_BYTES);
    if (program === undefined || content.kind !== 'text') return;
    const opened = openText(program.format, content.text);
    if (isUnreadable(opened)) return; // A program may be writing the file at this moment, so that it is incomplete.
    for (const record of records) {
      const key = JSON.stringify([path, record.keyPath]);
      if (standsAsWritten(opened, record)) standing.add(key);
      else if ((standing.delete(key) || isFirst) && !isDisposed) onLost(record, program.label);
    }
  };
  timer = clock.setTimeout(() => void look(), LOOK_MS);
  return {
    dispose: () => {
      isDisposed = true;
      timer?.dispose();
    },
  };
}
