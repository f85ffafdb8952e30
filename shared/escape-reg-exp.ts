/** Escapes a text for a regular expression, also under the `u` flag. The oldest supported runtime lacks `RegExp.escape`. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
