import { numberBounds } from './bounds.ts';

/**
 * What the number of open files of a process means on a system. Windows reports only handles, which include threads, events and
 * windows, so a healthy browser has thousands. macOS has no figure that is cheap enough to sample every second.
 */
export type OpenFilesKind = 'files' | 'handles' | 'unmeasured';

/** Returns what a system's number of open files means. @param platform `process.platform`, or `navigator.platform` in the page */
export function openFilesKindOf(platform: string): OpenFilesKind {
  if (/^win/i.test(platform)) return 'handles';
  return /^(darwin|mac)/i.test(platform) ? 'unmeasured' : 'files';
}

export interface OpenFilesWords {
  /** Name of the figure, also used for its limit in forms. */
  readonly title: string;
  /** Unit of the figure, shown after a number. */
  readonly unit: string;
  readonly limit: string;
}

const files: OpenFilesWords = { title: 'Open files', unit: 'open files', limit: 'limit of open files' };

export const openFilesWordsOf: Readonly<Record<OpenFilesKind, OpenFilesWords>> = {
  files,
  unmeasured: files,
  handles: { title: 'Handles', unit: 'handles', limit: 'limit of handles' },
};

/** Largest allowed limit. It means "no limit", because no process on any system can open that many files. */
export const NO_OPEN_FILES_LIMIT = numberBounds['limits.maxOpenFiles'].max;

/** Default limit of open files for a server. Handles have no limit by default, because a limit would end healthy servers. */
export const openFilesDefaultOf: Readonly<Record<OpenFilesKind, number>> = {
  files: numberBounds['limits.maxOpenFiles'].default,
  handles: NO_OPEN_FILES_LIMIT,
  unmeasured: NO_OPEN_FILES_LIMIT,
};
