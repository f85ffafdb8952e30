import {
  NO_OPEN_FILES_LIMIT,
  openFilesDefaultOf,
  openFilesKindOf,
  openFilesWordsOf,
} from '../../shared/open-files.ts';
import { formatCount } from './figures.ts';

const kind = openFilesKindOf(typeof navigator === 'undefined' ? '' : navigator.platform);

/** What this system calls the open files of a process. */
export const openFilesWords = openFilesWordsOf[kind];

/** False where a limit could never be held: none is offered there. */
export const isOpenFilesMeasured = kind !== 'unmeasured';

/** Limit that holds where nobody has set one. */
export const openFilesDefault = openFilesDefaultOf[kind];

export const isOpenFilesLimit = (value: number): boolean => value < NO_OPEN_FILES_LIMIT;

/** Limit of open files in words: "1000", or "no limit". */
export const formatOpenFilesLimit = (value: number): string =>
  isOpenFilesLimit(value) ? formatCount(value) : 'no limit';

/** Head of a column that is too narrow for the whole name. */
export const openFilesColumn =
  kind === 'handles'
    ? { label: 'Handles', tip: 'Handles of files, pipes, sockets, threads and windows' }
    : { label: 'Files', tip: 'Open files, pipes and sockets' };
