/**
 * Escapes a text for use in a regular expression, also under the `u` flag. Not `RegExp.escape`, because it is newer than the
 * oldest supported runtime.
 */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
