import { numberBounds } from './bounds.ts';

/**
 * Meaning of a process's open files on a system. Windows reports only handles, which include threads, events and windows: a
 * healthy browser has thousands. macOS has no figure that is cheap enough to sample every second.
 */
export type OpenFilesKind = 'files' | 'handles' | 'unmeasured';

/** Returns the meaning for a system: `process.platform`, or `navigator.platform` in the page. */
export function openFilesKindOf(platform: string): OpenFilesKind {
  if (/^win/i.test(platform)) return 'handles';
  return /^(darwin|mac)/i.test(platform) ? 'unmeasured' : 'files';
}

export interface OpenFilesWords {
  /** Name of the figure, and of its limit in forms. */
  readonly title: string;
  /** Unit of the figure, to stand after a number. */
  readonly unit: string;
  readonly limit: string;
}

const files: OpenFilesWords = { title: 'Open files', unit: 'open files', limit: 'limit of open files' };

export const openFilesWordsOf: Readonly<Record<OpenFilesKind, OpenFilesWords>> = {
  files,
  unmeasured: files,
  handles: { title: 'Handles', unit: 'handles', limit: 'limit of handles' },
};

/** The largest limit means none, because no process on any system can open as many files. */
export const NO_OPEN_FILES_LIMIT = numberBounds['limits.maxOpenFiles'].max;

/** Default limit of a server. Handles have no limit by default, because it would end healthy servers. */
export const openFilesDefaultOf: Readonly<Record<OpenFilesKind, number>> = {
  files: numberBounds['limits.maxOpenFiles'].default,
  handles: NO_OPEN_FILES_LIMIT,
  unmeasured: NO_OPEN_FILES_LIMIT,
};
