import type { FileToSave } from '../../shared/file-to-save.ts';
import { formatDay, formatHourMinute } from '../format/moments.ts';
import { useServices } from '../services.ts';
import { useTask, type UsedTask } from '../use-task.ts';
import type { TimeWindow } from './downsample.ts';

/** Saving of a file of what charts show, and what became of the last one: its path, or null where the person thought better of it. */
export interface Saving extends Pick<UsedTask<string | null, void>, 'status' | 'reset'> {
  /** @param make makes the file now; what it throws is told like a failure to write */
  readonly save: (make: () => FileToSave) => void;
}

export function useSaving(): Saving {
  const { api } = useServices();
  const { status, run, reset } = useTask<string | null>();
  return { status, reset, save: (make) => void run(async () => api.saveFile(make())) };
}

/** `github 2026-11-22 2041 to 2026-11-23 2041.csv`, without the colons that some systems refuse. */
export const fileNameOf = (subject: string, window: TimeWindow, ending: 'csv' | 'png'): string =>
  `${subject} ${momentOf(window.from)} to ${momentOf(window.to)}.${ending}`;

const momentOf = (at: TimeWindow['from']): string =>
  `${formatDay(at)} ${formatHourMinute(at).replace(':', '')}`;
