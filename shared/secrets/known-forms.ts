import { isReference } from './secret-names.ts';

/** Range of a secret in a text: the index of its first character, and the index after its last character. */
export type SecretSpan = readonly [start: number, end: number];

/** Placeholder that replaces a secret. No pattern matches within it, so that redacting a text twice changes nothing more. */
export const PLACEHOLDER = '[redacted]';

/** Builds a pattern for a run of characters in `set` that stops before a placeholder. Needed if `set` includes "[". */
const run = (set: string, count: string) => `(?:(?!\\[redacted\\])${set})${count}`;

/** Names whose value is always a secret. */
const STRONG_NAME =
  '(?:passw(?:or)?d|passphrase|pwd|secret|api[_-]?key|apikey|access[_-]?key|private[_-]?key|client[_-]?key|(?:access|auth|refresh|id|bot|session|bearer|api)[_-]?token)';

/** Forms of keys with a prefix that identifies their issuer. */
const KEYS = [
  // Models: OpenAI, Anthropic and others with keys of the same form; Groq, xAI, Hugging Face, Replicate, NVIDIA, Together,
  // Jina.
  String.raw`sk-[\w-]{16,}`,
  String.raw`(?:gsk|xai|hf|r8|jina|tgp_v1|nvapi|pplx)[_-][\w-]{20,}`,
  String.raw`(?:csk|pcsk|e2b|fw|ctx7sk)[_-](?=[\w-]{0,60}\d)[\w-]{20,}`,
  String.raw`lsv2_(?:pt|sk)_\w{20,}`,
  // Search and scraping: Tavily, Firecrawl, Apify, Browserbase, Brave.
  String.raw`(?:tvly|fc)-(?=[\w-]{0,60}\d)[\w-]{20,}`,
  String.raw`(?:apify_api|bb_live|bb_test)_\w{16,}`,
  String.raw`BSA(?=[\w-]{0,60}\d)[\w-]{24,}`,
  // Code: GitHub, GitLab, Bitbucket, npm, PyPI, Docker, RubyGems, Buildkite, CircleCI, Sonar, Sourcegraph, Postman, Pulumi.
  String.raw`gh[pousr]_\w{16,}|github_pat_\w{16,}`,
  String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-[\w.-]{16,}|gloas-[\w.-]{16,}`,
  String.raw`ATBB\w{20,}|BBDC-[\w+/=]{20,}`,
  String.raw`npm_\w{30,}|pypi-AgE[\w-]{30,}|dckr_[po]at_[\w-]{16,}|rubygems_[0-9a-f]{30,}`,
  String.raw`bkua_\w{20,}|CCI(?:PAT|PRJ)_\w{16,}|sq[apu]_[0-9a-f]{30,}|sgp_\w{20,}`,
  String.raw`PMAK-[0-9a-f]{20,}-[0-9a-f]{20,}|pul-[0-9a-f]{30,}`,
  // Work: Notion, Linear, Figma, Atlassian, Airtable, Slack, HubSpot, Typeform, Asana, ClickUp, Trello.
  String.raw`ntn_\w{20,}|secret_(?=\w{0,60}\d)\w{32,}|lin_(?:api|oauth)_\w{16,}|fig[dour]_[\w-]{16,}`,
  String.raw`AT(?:ATT|CTT)3x[\w=-]{20,}|ATTA\w{30,}|pat\w{14}\.[0-9a-f]{32,}|pat-[a-z]{2}\d-[\w-]{20,}`,
  String.raw`xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|tfp_[\w-]{20,}|pk_\d{4,}_\w{20,}`,
  // Clouds and data: AWS, Google, Azure, DigitalOcean, Cloudflare, Fly, Netlify, Vercel, Render, Heroku, Supabase, Neon, PlanetScale, Databricks.
  String.raw`A(?:KIA|SIA)[0-9A-Z]{16,}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}|\w{3}8Q~[\w.~-]{30,}`,
  String.raw`do[opr]_v1_[0-9a-f]{30,}|FlyV1 [\w+/=,-]{20,}|nfp_\w{20,}|vc[pk]_\w{20,}|vercel_blob_rw_\w{16,}|rnd_(?=\w{0,40}\d)\w{20,}|HRKU-[\w-]{20,}`,
  String.raw`sbp_[0-9a-f]{20,}|sb_secret_[\w-]{16,}|napi_\w{20,}|pscale_(?:tkn|pw|oauth)_[\w.=-]{16,}|dapi[0-9a-f]{30,}`,
  // Secrets and operations: Vault, Terraform, Doppler, 1Password, Grafana, Sentry, New Relic, Dynatrace, PostHog, Tailscale, Prefect.
  String.raw`hv[sbr]\.[\w-]{20,}|\w{14}\.atlasv1\.[\w=-]{30,}|dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.]{20,}|ops_eyJ[\w-]{20,}|AGE-SECRET-KEY-1[0-9A-Z]{30,}`,
  String.raw`gl(?:sa|c)_[\w+/=-]{20,}|sntry[su]_[\w+/=-]{20,}|NR(?:AK|II|JS|RA)-[\w-]{16,}|dt0[a-z]\d\d\.\w{20,}\.\w{20,}|ph[cx]_\w{20,}|tskey-[\w-]{16,}|pn[ub]_\w{20,}`,
  // Money, mail and telephones: Stripe, Square, Shopify, SendGrid, Mailgun, Resend, Twilio.
  String.raw`[srp]k_(?:live|test)_\w{10,}|whsec_[\w+/=]{20,}|sq0(?:atp|csp)-[\w-]{20,}|shp(?:at|ca|pa|ss)_[0-9a-f]{20,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}|key-[0-9a-f]{32}|re_(?=\w{0,40}\d)\w{24,}|SK[0-9a-f]{32}|waka_[0-9a-f-]{30,}`,
  // The panel's own tokens.
  String.raw`mcpcp_[\w-]{16,}`,
  // JSON Web Tokens.
  String.raw`eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?`,
].join('|');

/**
 * Pattern for one form of secret. Each match ends with the secret, which is the first defined group, or else the whole match.
 * Every part of a pattern either has a maximum length, or can start only once in each run of characters, so that searching a
 * megabyte of any text takes milliseconds.
 */
interface Form {
  readonly pattern: RegExp;
  /** Returns true if a match is a secret; undefined for forms whose pattern alone decides that. */
  readonly isSecret?: (secret: string, before: string) => boolean;
}

/** Forms that are secrets wherever they occur. A match starts neither within a word nor directly after a placeholder. */
const KEY_FORMS: readonly Form[] = [
  { pattern: new RegExp(String.raw`(?<![\w\]-])(?:${KEYS})`, 'g') },
  // Tokens of Telegram bots, and webhook addresses to which anyone may post.
  { pattern: /\b(?:bot)?(\d{8,10}:AA[\w-]{30,})/g },
  { pattern: /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/]{8,200})/g },
  { pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/(\d{1,20}\/[\w-]{8,})/g },
  {
    pattern: new RegExp(
      String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(${run(String.raw`[\w+/=\s\\]`, '+')})`,
      'g',
    ),
  },
];

/** Forms that are secrets only because of the text before them. */
const NAMED_FORMS: readonly Form[] = [
  {
    // For example name=value, name: value, or "name": "value", but not "${secret:NAME}", which is a reference.
    pattern: new RegExp(
      String.raw`(?<!\$\{)${STRONG_NAME}[\w-]{0,30}\\?["']?\s{0,3}[=:]\s{0,3}(?:\\?["'](${run(String.raw`[^"'\n\\]`, '+')})|(${run(String.raw`[^\s"',;&]`, '+')}))`,
      'gi',
    ),
    isSecret: (secret, before) => !isProse(secret, before) && !isFolder(secret, before),
  },
  {
    // Headers: either a scheme and a credential, or cookies up to the end of the line.
    pattern: new RegExp(
      String.raw`authorization["']?\s{0,3}[=:]\s{0,3}["']?((?:[a-z]{1,20}\s{1,3})?${run(String.raw`[^\s"',;]`, '+')})`,
      'gi',
    ),
  },
  {
    pattern: new RegExp(String.raw`cookie["']?\s{0,3}:\s{0,3}["']?(${run(String.raw`[^\n"']`, '+')})`, 'gi'),
  },
  { pattern: /(?:bearer|basic)\s{1,3}(?=[\w.~+/=-]{0,200}\d)([\w.~+/=-]{9,})/gi },
  {
    // Everyday words such as "token" and "key" count only directly before a value that looks like a secret.
    pattern: new RegExp(
      String.raw`(?<![a-z0-9\]])(?:token|key)=["']?(${run(String.raw`[^\s"',;&]`, '{6,}')})`,
      'gi',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`(?<![a-z0-9\]])token["']?\s{0,3}[:=]\s{0,3}["']?(?=[^\s"',;&[]{0,200}\d)(${run(String.raw`[^\s"',;&]`, '{8,}')})`,
      'gi',
    ),
  },
  // URLs: the user and password, and parameters that contain a credential.
  { pattern: new RegExp(String.raw`:\/\/(${run(String.raw`[^\s/?#]`, '{1,256}')})(?=@)`, 'g') },
  {
    pattern: new RegExp(
      String.raw`[?&][\w.-]{0,30}(?:token|key|secret|passw|pwd|sig|signature|auth|code|session)[\w.-]{0,20}=(${run(String.raw`[^\s&#"'<>]`, '+')})`,
      'gi',
    ),
  },
];

/**
 * True if the value is prose, as in "password: required". This means that it is a single plain word, and that the name before
 * it is an everyday word, not the name of a field.
 */
function isProse(secret: string, before: string): boolean {
  return /:\s+$/.test(before) && !/["'_-]|[a-z][A-Z]/.test(before) && /^[A-Za-z][a-z]*[.!?)]?$/.test(secret);
}

/** True if the value is the working folder of a shell, as in "PWD=/home/me". */
function isFolder(secret: string, before: string): boolean {
  return /^pwd=$/i.test(before) && /^(?:~|\.{0,2}|[A-Za-z]:)[\\/]/.test(secret);
}

/** Returns the secrets in a text that are recognizable by their own form. */
export function keySpans(text: string): readonly SecretSpan[] {
  return KEY_FORMS.flatMap((form) => spansOf(text, form));
}

/** Returns the secrets in a text that are recognizable by their own form, or by a name before them. */
export function knownSpans(text: string): readonly SecretSpan[] {
  if (text === '') return [];
  return [...KEY_FORMS, ...NAMED_FORMS].flatMap((form) => spansOf(text, form));
}

function spansOf(text: string, { pattern, isSecret }: Form): readonly SecretSpan[] {
  // The cheap test comes first, because hardly any line contains a secret, and `matchAll` copies the pattern before it
  // searches.
  if (text.search(pattern) === -1) return [];
  return Array.from(text.matchAll(pattern)).flatMap((match): readonly SecretSpan[] => {
    const secret = match.slice(1).find((group) => group !== undefined) ?? match[0];
    const end = match.index + match[0].length;
    const start = end - secret.length;
    const isPlain = isReference(secret) || isSecret?.(secret, text.slice(match.index, start)) === false;
    return isPlain ? [] : [[start, end]];
  });
}
