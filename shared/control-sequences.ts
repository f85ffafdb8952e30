/** Terminal control sequences: colours and cursor moves (CSI), titles and links (OSC), and single-character ones. */
const CONTROL_SEQUENCES = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b[@-Z\\\\-_]',
  ].join('|'),
  'g',
);

/** Returns the text without control sequences. */
export const withoutControlSequences = (text: string): string =>
  // Almost no text contains a control sequence, and the search for its first character is cheap.
  text.includes('\u001b') ? text.replace(CONTROL_SEQUENCES, '') : text;
