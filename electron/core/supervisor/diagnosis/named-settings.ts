const NAME = /(?<![\w$.{-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w(])/g;
/** Names of errors and of what systems and runtimes set themselves. */
const NO_SETTING =
  /^(?:(?:UND_)?ERR_|E[A-Z]+_|HTTP_\d|RUST_BACKTRACE$|NODE_(?:MODULE_VERSION|OPTIONS)$|(?:MODULE|RESOURCE|FILE)_NOT_FOUND$|NOT_FOUND$|PERMISSION_DENIED$|INVALID_|INTERNAL_|UNHANDLED_|SELF_SIGNED_|UNABLE_TO_|DEPTH_ZERO_|CERT_|LD_LIBRARY_PATH$)/;
/** Words of a sentence that asks for something which is not there. */
const NEED =
  /\b(?:required?|requires|requirement|missing|must|need(?:s|ed)?|not (?:set|found|defined|provided|configured|specified|present)|unset|undefined|set|provide|specify|expected|no\b.*\b(?:found|provided|given|configured)|environment|env(?:ironment)? var(?:iable)?s?|please|either|without|empty|via)\b/i;
const KEY_ERROR = /^KeyError: /;

/** The variables that a line asks for, in its order: names like SLACK_BOT_TOKEN, in a sentence about what is missing. */
export function settingsAskedFor(line: string): readonly string[] {
  if (!NEED.test(line) && !KEY_ERROR.test(line)) return [];
  const names = line.match(NAME) ?? [];
  return [...new Set(names)].filter((name) => !NO_SETTING.test(name));
}
