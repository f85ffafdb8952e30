import type { Ask, AskPlace } from '../../../../shared/manage.ts';

/** A part of an entry's text that the user has to replace with a real value. */
export interface FoundPlaceholder {
  readonly text: string;
  readonly kind: Ask['kind'];
  /** Name of the environment variable, for the kind `environment`. */
  readonly variable?: string;
  /** Default value that the placeholder itself contains: `3000` in `${PORT:-3000}`. */
  readonly suggestion?: string;
}

interface Pattern {
  readonly expression: RegExp;
  readonly read: (match: RegExpMatchArray) => FoundPlaceholder;
  /** Kinds of location where the pattern applies; all if undefined. */
  readonly places?: readonly AskPlace[];
}

const asValue = ([text]: RegExpMatchArray): FoundPlaceholder => ({ text, kind: 'value' });
const asVariable = ([text, , inner]: RegExpMatchArray): FoundPlaceholder => ({
  text,
  kind: 'environment',
  variable: inner ?? '',
});

/** Boundaries of a value: the start or end of the text, or a separator that occurs in arguments, headers and URL queries. */
const START = String.raw`(?<=^|[\s=:,;&?/@"'])`;
const END = String.raw`(?=$|[\s,;&/\\"'])`;
/** Matches the name of a secret, such as `API_KEY`, which instructions often show in place of the value. */
const CALLED = String.raw`(?:[A-Z0-9]{1,30}_){0,6}(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|PAT)`;
/** Matches folder names that occur only in instructions, such as `path/to`. */
const UNREAL = String.raw`absolute[\\/]+path|path[\\/]+to|full[\\/]+path|(?:users|home)[\\/]+(?:username|user-name|you|your[-_]?\w*)|your[-_][\w-]{1,100}|parent[\\/]+folder`;

/** Patterns in order of precedence: the first to match a part of a text takes it, so the most specific come first. */
const PATTERNS: readonly Pattern[] = [
  { expression: /\$\{([^${}]{1,200})\}/g, read: readBraced },
  {
    expression: /\{env:([A-Za-z_]\w{0,200})\}/g,
    read: ([text, variable = '']) => ({ text, kind: 'environment', variable }),
  },
  {
    // A shell command substitution such as `$(pwd)`, at the start of a value. After a space it is part of a script, and is not
    // a placeholder.
    expression: /(?<=^|[=:,"'])\$\([^()\n]{1,200}\)/g,
    read: ([text]) => ({ text, kind: /^\$\(pwd\)/.test(text) ? 'path' : 'value' }),
  },
  { expression: new RegExp(String.raw`${START}\$(env:)?([A-Z_][A-Z0-9_]*)${END}`, 'g'), read: asVariable },
  { expression: /(%)([A-Z][A-Z0-9_]+)%/g, read: asVariable, places: ['command', 'args', 'env', 'cwd'] },
  {
    // A path that contains a folder from instructions is a placeholder as a whole. It may contain spaces only if it is the
    // whole text, as here.
    expression: new RegExp(
      String.raw`^(?:[A-Za-z]:)?[~.]{0,2}[\\/][^,:"'=<>]{0,400}?(?:${UNREAL})[^,:"'=<>]{0,400}$`,
      'gi',
    ),
    read: ([text]) => ({ text, kind: 'path' }),
    places: ['command', 'args', 'env', 'cwd'],
  },
  {
    expression: new RegExp(
      String.raw`(?<=^|[\s=,"'])(?:[A-Za-z]:)?[^\s,:;"'=<>]{0,400}?(?:${UNREAL})(?:[\\/][^\s,:;"'=<>]{0,400})?(?=$|[\s,:;"'])`,
      'gi',
    ),
    read: ([text]) => ({ text, kind: /^[^@]*[\\/]/.test(text) ? 'path' : 'value' }),
    places: ['command', 'args', 'env', 'cwd'],
  },
  {
    expression: /<[A-Za-z][^<>{}\n]{0,100}>/g,
    read: ([text]) => ({ text, kind: /\b(?:path|folder|directory|dir)\b/i.test(text) ? 'path' : 'value' }),
  },
  { expression: /\{\{[^{}\n]{1,100}\}\}|\[(?:your|insert|enter)[^[\]\n]{1,100}\]/gi, read: asValue },
  { expression: /\{(?:[A-Z][A-Z0-9_]{2,100}|[Yy]our[-_ ][\w -]{1,100})\}/g, read: asValue },
  { expression: new RegExp(String.raw`${START}COPILOT_MCP_[A-Z0-9_]{1,100}${END}`, 'g'), read: asValue },
  {
    expression: new RegExp(String.raw`(?<=^(?:(?:Bearer|Basic|Token) )?)${CALLED}$`, 'g'),
    read: asValue,
    places: ['env', 'header'],
  },
  {
    expression: new RegExp(String.raw`(?<=[=:] ?(?:Bearer )?)${CALLED}$`, 'g'),
    read: asValue,
    places: ['args'],
  },
  {
    expression: new RegExp(
      String.raw`${START}your(?:[-_][a-z0-9]+)+|(?<=^|[=:] ?)your(?:[-_ ][a-z0-9]+)+`,
      'gi',
    ),
    read: asValue,
  },
  {
    expression: new RegExp(
      String.raw`${START}(?:(?:INSERT|REPLACE|ENTER|ADD|PUT|PASTE)_[A-Z0-9_]+|[A-Z0-9]+(?:_[A-Z0-9]+)*_HERE|change-?me|replace-?me)${END}`,
      'g',
    ),
    read: asValue,
  },
  {
    expression: new RegExp(
      String.raw`${START}(?:[A-Za-z]{1,12}[-_]){0,3}(?:[xX]{3,}(?:[-_.][xX]{2,})*|(?<!/)(?:\.{3,}|…)|\*{3,})${END}`,
      'g',
    ),
    read: asValue,
  },
];

/** Maximum characters of a text; a longer text is a script or a key, which users do not fill in. */
const MAX_CHARACTERS = 4096;

/** Every placeholder has a match for this, but most texts have none, so this one test saves one search per pattern. */
const SIGN =
  /[$%<{[\u2026]|\.{3}|\*{3}|your|xxx|_here|(?:insert|replace|enter|add|put|paste)_|(?:change|replace)-?me|path|user|[\\/]you|folder|copilot_mcp_|(?:key|token|secret|password|pat)$/i;

/** Position of a placeholder in its text. */
interface PlaceholderSpan {
  readonly from: number;
  readonly to: number;
  readonly placeholder: FoundPlaceholder;
}

export const placeholdersIn = (text: string, where: AskPlace): readonly FoundPlaceholder[] =>
  placeholderSpans(text, where).map(({ placeholder }) => placeholder);

/** Finds every placeholder in a text, in text order. Of overlapping placeholders, only the most specific one is returned. */
export function placeholderSpans(text: string, where: AskPlace): readonly PlaceholderSpan[] {
  if (text.length > MAX_CHARACTERS || !SIGN.test(text)) return [];
  const found: PlaceholderSpan[] = [];
  for (const { expression, read, places } of PATTERNS) {
    if (places?.includes(where) === false) continue;
    for (const match of text.matchAll(expression)) {
      const [from, to] = [match.index, match.index + match[0].length];
      if (found.every((other) => to <= other.from || from >= other.to))
        found.push({ from, to, placeholder: read(match) });
    }
  }
  return found.toSorted((one, other) => one.from - other.from);
}

/** Parses `${input:token}` of VS Code, `${env:NAME}`, `${NAME:-default}` of a shell, `${workspaceFolder}`. */
function readBraced([text, inner = '']: RegExpMatchArray): FoundPlaceholder {
  const variable = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/.exec(inner);
  const name = variable?.[1] ?? '';
  if (inner.startsWith('env:') || /^[A-Z_][A-Z0-9_]*$/.test(name)) {
    const suggestion = variable?.[2];
    return {
      text,
      kind: 'environment',
      variable: name === '' ? inner.slice('env:'.length) : name,
      ...(suggestion !== undefined && { suggestion }),
    };
  }
  return { text, kind: /^(?:input:|user_config\.)/.test(inner) ? 'value' : 'path' };
}
