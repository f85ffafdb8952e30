/** Size of a text that is nearly all ASCII, in KiB, at least one. */
export const formatSize = (characters: number): string =>
  `${Math.max(1, Math.round(characters / 1024))}\u2009KiB`;
