/** A name whose value is a secret, whatever its length. */
const SECRET_NAME =
  /token|secret|passw|passphrase|pwd|(^|[_-])pass$|key$|apikey|credential|auth(?!or)|cookie|private|signature|dsn$/i;
/** Parts of such names that say how, where or how long; values behind those are no secrets. */
const PLAIN_NAME =
  /^(no|max|min|use|enable|disable|require|skip)[_-]|[_-](type|mode|method|scheme|ur[li]|endpoint|host|port|file|path|dir|folder|timeout|ttl|limit|count|max|length|expiry|provider|version|region|enabled|required)$|tokens$/i;
/** Names that are secrets as parameters of a URL. */
const SECRET_PARAMETER = /^(sig|code|session|k|t|pat|jwt|sid)$/i;
/** Words that stand behind such names and are no secrets. */
const PLAIN_WORD = /^(true|false|yes|no|none|null|undefined|on|off|basic|bearer|oauth|oauth2|stdio|https?)$/i;
/** Everyday values, which are left alone because blacking them out would hide what happened and protect nothing. */
const PLAIN_VALUE =
  /^(production|development|staging|localhost|127\.0\.0\.1|verbose|warning|disabled|enabled|[\d.:]+|(~|\.{0,2}|[a-z]:)[\\/][\w\s@%+=:,.\\/-]*)$/i;
const MIN_TELLING_LENGTH = 8;
const MIN_RANDOM_LENGTH = 10;

/** Whether what stands behind `name` is a secret by its name: a variable, an option, a field, a parameter of a URL. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !PLAIN_NAME.test(name);
}

export function isSecretParameter(name: string): boolean {
  return SECRET_PARAMETER.test(name) || isSecretName(name);
}

/** Whether a value behind the name of a secret is one: not a word such as "true", and not nothing. */
export function isSecretValue(value: string): boolean {
  return value !== '' && !PLAIN_WORD.test(value);
}

/** Whether a value that is private by its place (a variable, a header) could be a secret, whatever its name. */
export function isTelling(value: string): boolean {
  return value.length >= MIN_TELLING_LENGTH && !PLAIN_VALUE.test(value);
}

/**
 * Whether a word that may be anything looks as if a machine had drawn it: letters among digits, no word with a number
 * behind it ("server-2", "v1.2.3"), no date.
 */
export function looksRandom(word: string): boolean {
  if (word.length < MIN_RANDOM_LENGTH || PLAIN_VALUE.test(word) || !/^[\w~+.-]+={0,2}$/.test(word))
    return false;
  const runs = word.match(/[a-z]+|\d+/gi) ?? [];
  const changes = runs.length - 1;
  const isDate = /^\d{4}-\d\d-\d\d/.test(word);
  const isVersioned = /^[a-z]+(?:[-_.][a-z]+)*[-_.]?\d{1,4}(?:[.-]\d{1,4}){0,3}$/i.test(word);
  return /[a-z]/i.test(word) && /\d/.test(word) && changes >= 2 && !isDate && !isVersioned;
}
