import { escapeRegExp } from '../../../shared/escape-reg-exp.ts';

/** A shorter home, such as that of root in a container, stands in other words as well. */
const MIN_LENGTH = 3;
const WINDOWS_PATH = /^(?:[a-z]:|\\\\)/i;

/**
 * Makes `~` of a person's home folder in a line, because its path names the person. On Windows it is found with any
 * separators, with those of JSON too, and in any case.
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
