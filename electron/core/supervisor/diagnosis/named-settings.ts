const NAME = /(?<![\w$.{-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w(])/g;
/** Names that are not settings: names of errors, and variables that systems and runtimes set themselves. */
const NO_SETTING =
  /^(?:(?:UND_)?ERR_|E[A-Z]+_|HTTP_\d|RUST_BACKTRACE$|NODE_(?:MODULE_VERSION|OPTIONS)$|(?:MODULE|RESOURCE|FILE)_NOT_FOUND$|NOT_FOUND$|PERMISSION_DENIED$|INVALID_|INTERNAL_|UNHANDLED_|SELF_SIGNED_|UNABLE_TO_|DEPTH_ZERO_|CERT_|LD_LIBRARY_PATH$)/;
/** Words of a sentence that asks for a missing variable. */
const NEED =
  /\b(?:required?|requires|requirement|missing|must|need(?:s|ed)?|not (?:set|found|defined|provided|configured|specified|present)|unset|undefined|set|provide|specify|expected|no\b.*\b(?:found|provided|given|configured)|environment|env(?:ironment)? var(?:iable)?s?|please|either|without|empty|via)\b/i;
const KEY_ERROR = /^KeyError: /;

/** Item of a list of variables, below a heading that asks for them. */
const ITEM = /^(?:[-*•]|\d+[.)]) ?/;

/**
 * Returns the names of the variables that a message asks for, in the order of the message: those in the first line that asks
 * for any, and those in list items.
 */
export function settingsWanted(cause: string, lines: readonly string[]): readonly string[] {
  const asked = [cause, ...lines].map(settingsAskedFor).find((names) => names.length > 0);
  if (asked === undefined) return [];
  const listed = lines.filter((line) => ITEM.test(line)).flatMap(namesIn);
  return [...new Set([...asked, ...listed])];
}

/** Returns the variables (like SLACK_BOT_TOKEN) that a sentence reports as missing, in the order of the sentence. */
export function settingsAskedFor(line: string): readonly string[] {
  if (!NEED.test(line) && !KEY_ERROR.test(line)) return [];
  return namesIn(line);
}

const namesIn = (line: string): readonly string[] =>
  [...new Set(line.match(NAME) ?? [])].filter((name) => !NO_SETTING.test(name));
