/**
 * Characters that are invisible or look like others: control and format characters, line separators, private-use and unpaired
 * ones, and all spaces except the plain one. Also `‹`, which encloses the numbers that replace them, so that no text can
 * imitate such a number.
 */
const hiddenCharacters = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u2039]|(?! )\p{Zs}/gu;

/** Returns the code point of a character, in brackets that no text can imitate. */
export const numbered = (character: string): string =>
  `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * Replaces each invisible character of a name, command or argument by its code point, such as `‹U+200B›`, so that different
 * texts always look different.
 */
export const showHiddenCharacters = (text: string): string => text.replace(hiddenCharacters, numbered);

/** Whether a text has an invisible character. Line ends and tabs do not count, because their effect is visible. */
export const hasHiddenCharacters = (text: string): boolean =>
  text.replace(/[\n\t\u2039]/g, '').search(hiddenCharacters) >= 0;
