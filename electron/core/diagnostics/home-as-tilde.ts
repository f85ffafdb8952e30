import { escapeRegExp } from '../../../shared/escape-reg-exp.ts';

/** Minimum length; a shorter home, such as that of root in a container, also occurs inside other words. */
const MIN_LENGTH = 3;
const WINDOWS_PATH = /^(?:[a-z]:|\\\\)/i;

/**
 * Returns a function that replaces the user's home folder in a line by `~`, because its path contains the user's name. On Windows
 * it matches any separators, including escaped ones of JSON, and any case.
 */
export function homeAsTilde(home: string): (line: string) => string {
  if (home.length < MIN_LENGTH) return (line) => line;
  if (!WINDOWS_PATH.test(home)) return (line) => line.replaceAll(home, '~');
  const pattern = new RegExp(
    home
      .split(/[\\/]+/)
      .map(escapeRegExp)
      .join(String.raw`[\\/]+`),
    'gi',
  );
  return (line) => line.replace(pattern, '~');
}
