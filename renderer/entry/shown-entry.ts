import { showHiddenCharacters } from '../format/text-direction.ts';
import { MASK, toJsonText } from './entry-json.ts';
import { isSameJson, withKey, type RawEntry } from './raw-entry.ts';
import { ownValue } from '../../shared/own-value.ts';

/**
 * Entry as text to be shown and copied, not to be read back. Besides environment and headers, possible
 * secrets among the arguments and in the address are masked as well, unless revealed.
 */
export const shownText = (entry: RawEntry, isRevealed: boolean): string =>
  toJsonText(isRevealed ? entry : withMasks(entry), isRevealed)
    .split('\n')
    .map(showHiddenCharacters)
    .join('\n');

/** Whether there is anything to mask. */
export const hasMasked = (entry: RawEntry): boolean => shownText(entry, false) !== shownText(entry, true);

/** The entry with masks for what may be secret among its arguments and in its address. */
export function withMasks(entry: RawEntry): RawEntry {
  const { args, url } = entry;
  const masked = Array.isArray(args) ? withKey(entry, 'args', maskArguments(args)) : entry;
  return typeof url === 'string' ? withKey(masked, 'url', maskAddresses(url)) : masked;
}

const SECRET_FLAG = /^--?[\w-]*(?:token|key|secret|passw|pwd|auth|credential|header)[\w-]*$/i;

/**
 * Arguments with masks for `--api-key=…`, the argument behind `--api-key`, and addresses that carry a
 * credential.
 */
function maskArguments(args: readonly unknown[]): readonly unknown[] {
  return args.map((arg, index) => {
    if (typeof arg !== 'string') return arg;
    const before: unknown = args[index - 1];
    if (typeof before === 'string' && SECRET_FLAG.test(before) && !arg.startsWith('-')) return MASK;
    const [flag = ''] = arg.split('=', 1);
    // Assignments are masked like flags: `docker run -e GITHUB_TOKEN=…`.
    if (arg.includes('=') && SECRET_FLAG.test(`--${flag.replace(/^-+/, '')}`)) return `${flag}=${MASK}`;
    return maskAddresses(arg);
  });
}

/**
 * Addresses with masks for user and password, and for the values of all parameters, because only their server
 * knows which of them are secret.
 */
const maskAddresses = (text: string): string =>
  text
    .replace(/(\w:\/\/)[^\s/?#@]+@/g, `$1${MASK}@`)
    .replace(/(\w:\/\/[^\s?#]*\?)([^\s#]+)/g, (_, before: string, query: string) => {
      const parts = query.split('&').map((part) => part.replace(/=.+$/, `=${MASK}`));
      return `${before}${parts.join('&')}`;
    });

/** Keys of the entry that differ, in the terms of the file: "command", "panel". */
export function changedKeys(before: RawEntry, after: RawEntry): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isSameJson(ownValue(before, key), ownValue(after, key)));
}
