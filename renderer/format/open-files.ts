import {
  NO_OPEN_FILES_LIMIT,
  openFilesDefaultOf,
  openFilesKindOf,
  openFilesWordsOf,
} from '../../shared/open-files.ts';
import { formatCount } from './figures.ts';

const kind = openFilesKindOf(typeof navigator === 'undefined' ? '' : navigator.platform);

/** This system's terms for the open files of a process. */
export const openFilesWords = openFilesWordsOf[kind];

/** True if this system reports open files. If it does not, the user cannot set a limit for them. */
export const isOpenFilesMeasured = kind !== 'unmeasured';

/** Limit that applies if the user has not configured one. */
export const openFilesDefault = openFilesDefaultOf[kind];

export const isOpenFilesLimit = (value: number): boolean => value < NO_OPEN_FILES_LIMIT;

/** Text for a limit of open files: "1000", or "no limit". */
export const formatOpenFilesLimit = (value: number): string =>
  isOpenFilesLimit(value) ? formatCount(value) : 'no limit';

/** Short heading for a column that is too narrow for the full name. */
export const openFilesColumn =
  kind === 'handles'
    ? { label: 'Handles', tip: 'Handles of files, pipes, sockets, threads and windows' }
    : { label: 'Files', tip: 'Open files, pipes and sockets' };
