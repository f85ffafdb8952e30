/** A text as a pattern that matches just this text, under the `u` flag too. `RegExp.escape` is newer than the oldest runtime we run on. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
