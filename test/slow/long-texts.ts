/** A turn of the event loop may take this long at most. */
const MAX_TURN_MS = 50;
const LENGTH = 65_536;
/** Texts whose repetition a pattern may take in many ways, each with what may keep it from matching in the end. */
const UNITS = [
  ...['a', 'A', '-', '_', '.', '/', '\\', '"', "'", '`', '~', '$', '%', '<', '>', '[', ']', '{', '}', '#'],
  ...['?', '&', '=', ':', ';', ',', '@', '*', '…', '\t', ' ', '\n', '::', '~~~\t', '```', '"#', '\n\t', '/*'],
  ...[
    '\\"',
    '\\"\\\\',
    '.DXT#',
    '@mcp-get',
    'your-',
    'YOUR_',
    'XXX-',
    'C:\\',
    '../',
    'path/to/',
    '${',
    '{env:',
  ],
  ...[
    '$(',
    'a=',
    'a/',
    'users/',
    '-A ',
    ' && ',
    '&quot;',
    '{"',
    '[{',
    '- ',
    'a: ',
    '[[',
    '"a":',
    'x.',
    'http://',
  ],
];

/** Each word of 64 KiB for which a turn takes too long. @param cpuMs what the processor has spent on this process so far */
export const slowWords = (turn: (word: string) => unknown, cpuMs: () => number): readonly string[] =>
  UNITS.flatMap((unit) =>
    ['', '!', '\n!'].flatMap((end) => {
      const word = unit.repeat(LENGTH / unit.length) + end;
      const ms = turnMs(() => turn(word), cpuMs);
      return ms > MAX_TURN_MS ? [`${JSON.stringify(unit + end)}: ${Math.round(ms)} ms`] : [];
    }),
  );

/** The least of five, in time of the processor, because other programs may have it meanwhile. */
function turnMs(turn: () => unknown, cpuMs: () => number): number {
  const turns: number[] = [];
  while (turns.length < 5 && (turns.at(-1) ?? Infinity) > MAX_TURN_MS) {
    const startMs = cpuMs();
    turn();
    turns.push(cpuMs() - startMs);
  }
  return Math.min(...turns);
}
