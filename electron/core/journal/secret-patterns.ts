/** The placeholder of a secret. No pattern reaches into it, because redacting twice must change nothing. */
export const PLACEHOLDER = '[redacted]';

const NOT_PLACEHOLDER = String.raw`(?!\[redacted\])`;
/** A run of characters of `set`, up to a placeholder at most. */
const run = (set: string, count: string) => `(?:${NOT_PLACEHOLDER}${set})${count}`;

/** Names whose value is a secret whatever it looks like. */
const STRONG_NAME =
  '(?:passw(?:or)?d|passphrase|pwd|secret|api[_-]?key|apikey|access[_-]?key|private[_-]?key|client[_-]?key|(?:access|auth|refresh|id|bot|session|bearer|api)[_-]?token)';
/** A match begins neither within a word nor directly behind a placeholder. */
const AT_START = String.raw`(?<![\w\]-])`;

/**
 * What is a secret by its form or by what stands before it. Each match ends with the secret, which is its first group.
 * Every part is bounded, or begins where only one attempt per run of characters can begin: a megabyte of anything
 * takes milliseconds.
 */
export const SECRET_PATTERNS: readonly RegExp[] = [
  // name=value, name: value, "name": "value"
  new RegExp(
    String.raw`${STRONG_NAME}[\w-]{0,30}\\?["']?\s{0,3}[=:]\s{0,3}(?:\\?["'](${run(String.raw`[^"'\n\\]`, '+')})|(${run(String.raw`[^\s"',;&]`, '+')}))`,
    'gi',
  ),
  // Headers: a scheme and a credential, or cookies up to the end of the line.
  new RegExp(
    String.raw`authorization["']?\s{0,3}[=:]\s{0,3}["']?((?:[a-z]{1,20}\s{1,3})?${run(String.raw`[^\s"',;]`, '+')})`,
    'gi',
  ),
  new RegExp(String.raw`cookie["']?\s{0,3}:\s{0,3}["']?(${run(String.raw`[^\n"']`, '+')})`, 'gi'),
  new RegExp(
    String.raw`(?:bearer|basic)\s{1,3}(?=[\w.~+/=-]{0,200}\d)(${run(String.raw`[\w.~+/=-]`, '{8,}')})`,
    'gi',
  ),
  // Everyday words count only where nothing stands between them and a value that looks like a secret.
  new RegExp(String.raw`(?<![a-z0-9\]])(?:token|key)=["']?(${run(String.raw`[^\s"',;&]`, '{6,}')})`, 'gi'),
  new RegExp(
    String.raw`(?<![a-z0-9\]])token["']?\s{0,3}[:=]\s{0,3}["']?(?=[^\s"',;&[]{0,200}\d)(${run(String.raw`[^\s"',;&]`, '{8,}')})`,
    'gi',
  ),
  // URLs: user and password, and parameters that carry a credential.
  new RegExp(String.raw`:\/\/(${run(String.raw`[^\s/?#]`, '{1,256}')})(?=@)`, 'g'),
  new RegExp(
    String.raw`[?&][\w.-]{0,30}(?:token|key|secret|passw|pwd|sig|signature|auth|code|session)[\w.-]{0,20}=(${run(String.raw`[^\s&#"'<>]`, '+')})`,
    'gi',
  ),
  // Keys that their makers gave a form of their own, JSON Web Tokens, and private keys.
  new RegExp(
    String.raw`${AT_START}(sk-${run(String.raw`[\w-]`, '{16,}')}|[srp]k_(?:live|test)_${run(String.raw`\w`, '{10,}')}|gh[pousr]_${run(String.raw`\w`, '{16,}')}|github_pat_${run(String.raw`\w`, '{16,}')}|glpat-${run(String.raw`[\w-]`, '{16,}')}|xox[a-z]-${run(String.raw`[\w-]`, '{10,}')}|xapp-${run(String.raw`[\w-]`, '{10,}')}|A(?:KIA|SIA)${run('[0-9A-Z]', '{16,}')}|AIza${run(String.raw`[\w-]`, '{30,}')}|mcpcp_${run(String.raw`[\w-]`, '{16,}')}|npm_${run(String.raw`\w`, '{30,}')}|hf_${run(String.raw`\w`, '{20,}')}|ya29\.${run(String.raw`[\w-]`, '{16,}')})`,
    'g',
  ),
  new RegExp(
    String.raw`${AT_START}(eyJ${run(String.raw`[\w-]`, '{8,}')}\.${run(String.raw`[\w-]`, '{8,}')}(?:\.${run(String.raw`[\w-]`, '*')})?)`,
    'g',
  ),
  new RegExp(String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(${run(String.raw`[\w+/=\s\\]`, '+')})`, 'g'),
];
