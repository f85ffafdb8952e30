import type { Clock, Disposable } from '../../clock.ts';
import { readContent, readSignature } from '../../files/file-content.ts';
import { MAX_FOREIGN_BYTES } from '../../files/foreign-file.ts';
import { clientPrograms } from '../programs/programs.ts';
import { openText } from '../programs/spans/open-text.ts';
import { isProblem } from '../programs/spans/servers-text.ts';
import type { MovedEntry, MovedFile } from './moved-file.ts';
import { standsAsWritten } from './record.ts';

const LOOK_MS = 2000;

export interface LostWatchOptions {
  readonly moved: MovedFile;
  readonly clock: Clock;
  /** Receives an entry of ours that another program has overwritten, once. */
  readonly onLost: (entry: MovedEntry, label: string) => void;
}

/** Looks at the files with entries of ours: at their time stamps, and into those that have changed. */
export function watchForLost({ moved, clock, onLost }: LostWatchOptions): Disposable {
  const signatures = new Map<string, string>();
  const lost = new Set<string>();
  let isDisposed = false;
  let timer: Disposable | undefined;
  const look = async (): Promise<void> => {
    // A broken moved.json is told of where it is used.
    const records = await moved.read().catch(() => []);
    for (const path of new Set(records.map((record) => record.path))) {
      const signature = await readSignature(path);
      if (signatures.get(path) === signature) continue;
      signatures.set(path, signature);
      await lookInto(
        path,
        records.filter((record) => record.path === path),
      );
    }
    if (!isDisposed) timer = clock.setTimeout(() => void look(), LOOK_MS);
  };
  const lookInto = async (path: string, records: readonly MovedEntry[]): Promise<void> => {
    const program = clientPrograms.find(({ id }) => id === records[0]?.program);
    const content = await readContent(path, MAX_FOREIGN_BYTES);
    if (program === undefined || content.kind !== 'text') return;
    const opened = openText(program.format, content.text);
    if (isProblem(opened)) return; // Half a file of a program that is writing it.
    for (const record of records) {
      const key = JSON.stringify([path, record.keyPath]);
      const isLost = !standsAsWritten(opened, record);
      if (isLost && !lost.has(key) && !isDisposed) onLost(record, program.label);
      if (isLost) lost.add(key);
      else lost.delete(key);
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
