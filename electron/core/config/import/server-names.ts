import { domainToASCII } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { ServerEntry } from '../../../../shared/server-config.ts';
import { LONGEST_SERVER_NAME } from '../../../../shared/server-names.ts';
import { inLatinLetters } from './latin-letters.ts';
import { withoutEdges } from '../../../../shared/text-edges.ts';

const NAMELESS = 'server';

/** Assigns names for servers.json: two different entries never share one, two equal entries of one name do. */
export class ServerNames {
  readonly #taken = new Map<string, ServerEntry>();

  /** Returns the name for `entry`, whose client name is `original`; with `-2`, `-3` and so on where it is taken. */
  nameFor(original: string, entry: ServerEntry): { readonly name: string; readonly isKnown: boolean } {
    const base = validName(original);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? base : withSuffix(base, `-${count}`);
      const holder = this.#taken.get(name);
      if (holder === undefined) {
        this.#taken.set(name, entry);
        return { name, isKnown: false };
      }
      if (isDeepStrictEqual(holder, entry)) return { name, isKnown: true };
    }
  }
}

/**
 * Returns the nearest valid name: accents are removed, Greek and Cyrillic letters become Latin ones, other invalid characters
 * become hyphens. A name that would be empty gets its RFC 3492 form, as in host names: `日本` becomes `xn--wgv71a`. Different names
 * therefore stay different in any script.
 */
export function validName(original: string): string {
  const name = allowed(inLatinLetters(original.slice(0, LONGEST_ORIGINAL)));
  return isNameless(name) ? encodedName(original) : name;
}

/** Maximum input length; names are cut to 64 characters in the end. */
const LONGEST_ORIGINAL = 512;

function encodedName(original: string): string {
  // A host label has at most 63 characters, and a letter of other scripts takes up to about four.
  const letters = (original.normalize('NFKC').match(/[\p{L}\p{N}\p{So}]/gu) ?? []).slice(0, 12).join('');
  const name = allowed(domainToASCII(letters));
  return isNameless(name) ? NAMELESS : name;
}

const isNameless = (name: string): boolean => /^\.{0,2}$/.test(name);

const allowed = (text: string): string =>
  withoutEdges(text.replace(/[^A-Za-z0-9._-]+/g, '-'), '-').slice(0, LONGEST_SERVER_NAME);

function withSuffix(base: string, suffix: string): string {
  return base.slice(0, LONGEST_SERVER_NAME - suffix.length) + suffix;
}
