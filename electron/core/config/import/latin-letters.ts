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
/** Letters without a sound of their own. */
const SILENT = /[ьъ]/gi;

/** Returns the text without accents and with Latin letters for Greek and Cyrillic ones; the rest stays. */
export function inLatinLetters(text: string): string {
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
