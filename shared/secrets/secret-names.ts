/** Names whose value is a secret, whatever its length. */
const SECRET_NAME =
  /token|secret|passw|passphrase|pwd|(?:^|[_-])(?:pass|pat)$|key$|credential|auth(?!or(?!i[sz]))|cookie|private|signature|dsn$/i;
/** Names, or parts of names, that denote a kind, place or duration. Their values are not secrets. */
const PLAIN_NAME =
  /^(?:no|max|min|use|enable|disable|require|skip)[_-]|[_-](?:type|mode|method|scheme|ur[li]|endpoint|host|port|file|path|dir|folder|timeout|ttl|limit|count|max|length|expiry|provider|version|region|enabled|required)$|tokens$|(?:hot|sort|cache|primary|partition|foreign|group|public)[_-]?key$|^(?:old)?pwd$/i;
/** Names of URL parameters whose values are secrets. */
const SECRET_PARAMETER = /^(?:sig|code|session|k|t|pat|jwt|sid)$/i;
/** Words that often follow the name of a secret but are not secrets. */
const PLAIN_WORD =
  /^(?:true|false|yes|no|none|null|undefined|on|off|basic|bearer|oauth|oauth2|stdio|https?)$/i;
/** Reference to a value that is stored elsewhere, such as `${secret:NAME}`, possibly after the scheme of a header. */
const REFERENCE = /^(?:[A-Za-z]{1,20} )?\$\{[^{}]{1,200}\}$/;
const MIN_RANDOM_LENGTH = 10;
/** Maximum characters of a word that are examined, because a generated word looks random from its start. */
const MAX_JUDGED_LENGTH = 4096;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True if the name of a variable, an option, a field, or a parameter of a URL indicates that its value is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !PLAIN_NAME.test(name);
}

export function isSecretParameter(name: string): boolean {
  return SECRET_PARAMETER.test(name) || isSecretName(name);
}

/** True if the value after a secret's name is a secret: not empty, not a word such as "true", and not a reference. */
export function isSecretValue(value: string): boolean {
  return value !== '' && !PLAIN_WORD.test(value) && !isReference(value);
}

export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/**
 * True if a word looks randomly generated. The parts of an ordinary name between its separators are words, numbers, and words
 * with a number at one end ("node18", "3d"), while generated words alternate letters and digits. A name in one case may have
 * one alternating part ("n8n", "k8s"), because such abbreviations are common.
 */
export function looksRandom(word: string): boolean {
  if (word.length < MIN_RANDOM_LENGTH || !/^[\w~+.-]+={0,2}$/.test(word)) return false;
  if (UUID.test(word)) return true;
  let [most, all] = [0, 0];
  for (const part of word.slice(0, MAX_JUDGED_LENGTH).split(/[-_.~+=]/)) {
    const turns = (part.match(/[a-z]+|\d+/gi)?.length ?? 0) - 2;
    most = Math.max(most, turns);
    all += Math.max(0, turns);
  }
  const hasBothCases = /[a-z]/.test(word) && /[A-Z]/.test(word);
  return hasBothCases ? all >= 1 : most >= 2 || all >= 3;
}
