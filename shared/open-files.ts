import { numberBounds } from './bounds.ts';

/**
 * What a system counts as the open files of a process. Windows tells handles only, which stand for threads, events and
 * windows as well: a healthy browser holds thousands.
 */
export type OpenFilesKind = 'files' | 'handles';

/** What the figure is on a system: `process.platform`, or `navigator.platform` in the page. */
export const openFilesKindOf = (platform: string): OpenFilesKind =>
  /^win/i.test(platform) ? 'handles' : 'files';

export interface OpenFilesWords {
  /** Name of the figure, and of its limit in forms. */
  readonly title: string;
  /** Behind a number. */
  readonly unit: string;
  readonly limit: string;
}

export const openFilesWordsOf: Readonly<Record<OpenFilesKind, OpenFilesWords>> = {
  files: { title: 'Open files', unit: 'open files', limit: 'limit of open files' },
  handles: { title: 'Handles', unit: 'handles', limit: 'limit of handles' },
};

/** The largest limit stands for none: no process of any system can open as many files. */
export const NO_OPEN_FILES_LIMIT = numberBounds['limits.maxOpenFiles'].max;

/** The limit of a server for which nobody has set one. A limit of handles would end healthy servers. */
export const openFilesDefaultOf: Readonly<Record<OpenFilesKind, number>> = {
  files: numberBounds['limits.maxOpenFiles'].default,
  handles: NO_OPEN_FILES_LIMIT,
};
