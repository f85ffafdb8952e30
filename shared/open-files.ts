import { numberBounds } from './bounds.ts';

/**
 * What a system counts as the open files of a process. Windows tells handles only, which stand for threads, events and
 * windows as well: a healthy browser holds thousands. macOS tells nothing at a price that a look each second may cost.
 */
export type OpenFilesKind = 'files' | 'handles' | 'unmeasured';

/** What the figure is on a system: `process.platform`, or `navigator.platform` in the page. */
export function openFilesKindOf(platform: string): OpenFilesKind {
  if (/^win/i.test(platform)) return 'handles';
  return /^(darwin|mac)/i.test(platform) ? 'unmeasured' : 'files';
}

export interface OpenFilesWords {
  /** Name of the figure, and of its limit in forms. */
  readonly title: string;
  /** Behind a number. */
  readonly unit: string;
  readonly limit: string;
}

const files: OpenFilesWords = { title: 'Open files', unit: 'open files', limit: 'limit of open files' };

export const openFilesWordsOf: Readonly<Record<OpenFilesKind, OpenFilesWords>> = {
  files,
  unmeasured: files,
  handles: { title: 'Handles', unit: 'handles', limit: 'limit of handles' },
};

/** The largest limit stands for none: no process of any system can open as many files. */
export const NO_OPEN_FILES_LIMIT = numberBounds['limits.maxOpenFiles'].max;

/** The limit of a server for which nobody has set one. A limit of handles would end healthy servers. */
export const openFilesDefaultOf: Readonly<Record<OpenFilesKind, number>> = {
  files: numberBounds['limits.maxOpenFiles'].default,
  handles: NO_OPEN_FILES_LIMIT,
  unmeasured: NO_OPEN_FILES_LIMIT,
};
