/** Escapes a text for a pattern, also under the `u` flag. `RegExp.escape` is newer than the oldest supported runtime. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
