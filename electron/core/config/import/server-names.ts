import { domainToASCII } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { ServerEntry } from '../../../../shared/server-config.ts';
import { LONGEST_SERVER_NAME } from '../../../../shared/server-names.ts';
import { withoutEdges } from '../../../../shared/text-edges.ts';

const NAMELESS = 'server';

/**
 * Assigns names for servers.json. Different entries never get the same name. The same entry, added again under the same name,
 * gets the same result.
 */
export class ServerNames {
  readonly #taken = new Map<string, ServerEntry>();

  /** Returns the name for `entry`, whose name in the client is `original`; with `-2`, `-3` and so on if the name is taken. */
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
 * Returns the closest valid name: accents are removed, Greek and Cyrillic letters are transliterated, and other invalid
 * characters become hyphens. If nothing would be left, the name is encoded as in host names (RFC 3492): `日本` becomes
 * `xn--wgv71a`. Different names thus stay different in any script.
 */
export function validName(original: string): string {
  const name = allowed(inLatinLetters(original.slice(0, LONGEST_ORIGINAL)));
  return isNameless(name) ? encodedName(original) : name;
}

/** Maximum characters of a name that are converted. The resulting names are cut to 64. */
const LONGEST_ORIGINAL = 512;

function encodedName(original: string): string {
  // A label of a host name has at most 63 characters, and encoding a letter takes up to about four. Therefore only 12 letters
  // are encoded.
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

/** Letters of other alphabets with their usual Latin spelling, in pairs. Scripts without an alphabet have no such table. */
const SPELLINGS =
  'а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ы y э e ю yu я ya ' +
  'є ye і i ґ g ђ dj ј j љ lj њ nj ћ c џ dz ' +
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o ' +
  'ß ss æ ae ø o œ oe đ d ł l þ th ð d ı i';

const words = SPELLINGS.split(' ');
const latin: ReadonlyMap<string, string> = new Map(
  words.flatMap((letter, index) => (index % 2 === 0 ? [[letter, words[index + 1] ?? '']] : [])),
);
/** The Cyrillic hard and soft signs, which have no sound and are removed. */
const SILENT = /[ьъ]/gi;

/** Returns the text without accents and with Latin letters for Greek and Cyrillic ones; the rest stays. */
function inLatinLetters(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(SILENT, '');
  return plain.replace(/\p{L}/gu, (letter) => {
    const spelling = latin.get(letter.toLowerCase());
    if (spelling === undefined) return letter;
    return letter === letter.toLowerCase() ? spelling : spelling.charAt(0).toUpperCase() + spelling.slice(1);
  });
}
