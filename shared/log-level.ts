/** Severities that the panel distinguishes, from the least to the most severe. */
export const textLevels = ['debug', 'info', 'warning', 'error'] as const;
export type TextLevel = (typeof textLevels)[number];

/** Level names of common loggers, of syslog and of MCP log messages, each with its severity. */
const levelOfWord: ReadonlyMap<string, TextLevel> = new Map([
  ['trace', 'debug'],
  ['verbose', 'debug'],
  ['debug', 'debug'],
  ['dbg', 'debug'],
  ['info', 'info'],
  ['notice', 'info'],
  ['information', 'info'],
  ['warn', 'warning'],
  ['warning', 'warning'],
  ['wrn', 'warning'],
  ['err', 'error'],
  ['error', 'error'],
  ['fatal', 'error'],
  ['panic', 'error'],
  ['crit', 'error'],
  ['critical', 'error'],
  ['alert', 'error'],
  ['emerg', 'error'],
  ['emergency', 'error'],
]);

/** Level numbers of pino and bunyan, each with its severity. The severity of any other number is unknown. */
const levelOfNumber: ReadonlyMap<string, TextLevel> = new Map([
  ['10', 'debug'],
  ['20', 'debug'],
  ['30', 'info'],
  ['40', 'warning'],
  ['50', 'error'],
  ['60', 'error'],
]);

/** Number of characters of a log line that are searched for a level, which is at the start. Lines may be long. */
const LOOKED_AT_CHARACTERS = 300;

const WORD = [...levelOfWord.keys()].join('|');
const shapes: readonly RegExp[] = [
  // {"level":"warn",…}, level=warn, severity: ERROR, "level":50
  /(?:^|[\s{,("'])"?(?:level|lvl|severity|levelname)"?\s*[=:]\s*"?(\w+)/i,
  // [error], [2026-11-22 10:00:00 WARN ], <err>, (info)
  new RegExp(`[[<(](?:[^\\])>]{0,40}\\s)?(${WORD})\\s*[\\]>)]`, 'i'),
  // error: …, npm warn …, ERR! …, 10:00:00 INFO …, at the start or after a time
  new RegExp(`^(?:npm )?(?:[\\d\\-:.,TZ+/]+\\s+){0,3}(?:\\S{1,40}\\s+)?(${WORD})(?:!|:|\\s+[-|:])`, 'i'),
  new RegExp(`^(?:npm\\s+)(${WORD})\\b`, 'i'),
  // INFO started: a level without punctuation counts only in capitals, because "error" may be the start of a sentence.
  new RegExp(
    `^(?:[\\d\\-:.,TZ+/]+\\s+){0,3}(?:[-|]\\s+)?(?:\\S{1,40}\\s+[-|]\\s+)?(${WORD.toUpperCase()})\\b`,
  ),
  // Names of exceptions: TypeError: …, java.lang.IllegalStateException: …, thread 'main' panicked at …
  /^(?:Uncaught |Caused by: |Exception in thread "[^"]*" )?(?:[\w$]+\.)*[A-Z][\w$]*(Error|Exception)\b(?::|$)/,
  /^(?:Traceback \(most recent call last\)|thread '[^']*' (panick)ed|panic:)/,
];

/** Returns the severity that a log line names in one of the common forms; undefined for a line without a severity. */
export function levelOf(text: string): TextLevel | undefined {
  const start = text.slice(0, LOOKED_AT_CHARACTERS);
  for (const shape of shapes) {
    const match = shape.exec(start);
    if (match === null) continue;
    const word = match[1]?.toLowerCase();
    // A match of the last patterns is always an error, whatever word it contains.
    if (word === undefined || word === 'exception' || word === 'panick') return 'error';
    const level = levelOfWord.get(word) ?? levelOfNumber.get(word);
    if (level !== undefined) return level;
  }
  return undefined;
}

/**
 * Pattern of log lines that continue the line above, such as stack frames: indented lines, lines with only closing brackets,
 * and lines that start with "Caused by: ".
 */
const CONTINUATION = /^(?:\s+\S|[)\]}]+[;,]?$|Caused by: )/;

/** True if a line without a level belongs to the line above. */
export const isContinuation = (text: string): boolean => CONTINUATION.test(text);
