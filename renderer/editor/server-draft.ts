import {
  entryValueAt,
  isObject,
  isSameJson,
  type RawEntry,
  withKey,
  withValueAt,
} from '../entry/raw-entry.ts';
import { settingFields } from '../entry/setting-fields.ts';
import { settingToText, textToSetting } from '../entry/setting-text.ts';
import { ownValue } from '../../shared/own-value.ts';
import { withoutEnd } from '../../shared/text-edges.ts';

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Server entry as edited in the form; every text is kept as typed. */
export interface ServerDraft {
  readonly name: string;
  /** How the server is reached: through a local command or at a remote address. */
  readonly reach: 'command' | 'address';
  readonly command: string;
  /** Arguments, one per line. */
  readonly args: string;
  readonly cwd: string;
  readonly env: readonly Pair[];
  readonly url: string;
  readonly protocol: 'http' | 'sse';
  readonly headers: readonly Pair[];
  readonly verifiesTls: boolean;
  readonly caFile: string;
  readonly isEnabled: boolean;
  /** Texts of settings by their path under the key `panel`; an unset setting has an empty text or none. */
  readonly panel: Readonly<Record<string, string>>;
}

const AUTO_START = 'autoStart';

export function draftOf(name: string, entry: RawEntry): ServerDraft {
  const { command, args, cwd, url, env, headers, type } = entry;
  const isRemoteType = typeof type === 'string' && type !== 'stdio';
  const panel = settingFields.map(
    (field) => [field.path, settingToText(field, entryValueAt(entry, `panel.${field.path}`))] as const,
  );
  const autoStart = entryValueAt(entry, `panel.${AUTO_START}`);
  return {
    name,
    reach: command === undefined && (url !== undefined || isRemoteType) ? 'address' : 'command',
    command: toText(command),
    args: Array.isArray(args) ? args.map(toText).join('\n') : toText(args),
    cwd: toText(cwd),
    env: toPairs(env),
    url: toText(url),
    protocol: type === 'sse' ? 'sse' : 'http',
    headers: toPairs(headers),
    verifiesTls: entryValueAt(entry, 'tls.verify') !== false,
    caFile: toText(entryValueAt(entry, 'tls.caFile')),
    isEnabled: entry['disabled'] !== true,
    panel: Object.fromEntries([...panel, [AUTO_START, autoStart === false ? 'false' : '']]),
  };
}

/**
 * Returns the entry that a draft describes. Only changes are applied to `base`: unknown keys, the order of keys, and values
 * that the form cannot show stay as they are.
 */
export function entryOf(draft: ServerDraft, base: RawEntry): RawEntry {
  const before = draftOf(draft.name, base);
  const reached = draft.reach === before.reach ? base : withoutReach(base);
  const start = draft.reach === before.reach ? before : draftOf(draft.name, reached);
  const written =
    draft.reach === 'command' ? writeCommand(draft, start, reached) : writeAddress(draft, start, reached);
  const switched =
    draft.isEnabled === before.isEnabled
      ? written
      : withKey(written, 'disabled', draft.isEnabled ? undefined : true);
  return writePanel(draft, before, switched);
}

function writeCommand(draft: ServerDraft, before: ServerDraft, base: RawEntry): RawEntry {
  let entry = base;
  if (draft.command !== before.command) entry = withKey(entry, 'command', draft.command.trim());
  if (draft.args !== before.args) entry = withKey(entry, 'args', orNothing(toLines(draft.args)));
  if (!isSameJson(draft.env, before.env)) entry = withKey(entry, 'env', toRecord(draft.env));
  if (draft.cwd !== before.cwd) entry = withKey(entry, 'cwd', draft.cwd.trim() || undefined);
  return entry;
}

function writeAddress(draft: ServerDraft, before: ServerDraft, base: RawEntry): RawEntry {
  let entry = base;
  if (draft.url !== before.url) entry = withKey(entry, 'url', draft.url.trim());
  if (draft.protocol !== before.protocol) entry = withKey(entry, 'type', draft.protocol);
  if (!isSameJson(draft.headers, before.headers)) entry = withKey(entry, 'headers', toRecord(draft.headers));
  if (draft.verifiesTls !== before.verifiesTls)
    entry = withValueAt(entry, 'tls.verify', draft.verifiesTls ? undefined : false);
  if (draft.caFile !== before.caFile)
    entry = withValueAt(entry, 'tls.caFile', draft.caFile.trim() || undefined);
  return entry;
}

function writePanel(draft: ServerDraft, before: ServerDraft, base: RawEntry): RawEntry {
  const isChanged = (path: string) =>
    (ownValue(draft.panel, path) ?? '') !== (ownValue(before.panel, path) ?? '');
  const changed = settingFields
    .filter(({ path }) => isChanged(path))
    .reduce((entry, field) => {
      const value = textToSetting(field, ownValue(draft.panel, field.path) ?? '');
      return withValueAt(entry, `panel.${field.path}`, value);
    }, base);
  if (!isChanged(AUTO_START)) return changed;
  return withValueAt(changed, `panel.${AUTO_START}`, draft.panel[AUTO_START] === 'false' ? false : undefined);
}

const reachKeys = new Set(['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'tls']);

const withoutReach = (entry: RawEntry): RawEntry =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => !reachKeys.has(key)));

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const toPairs = (value: unknown): readonly Pair[] =>
  isObject(value) ? Object.entries(value).map(([name, inner]) => ({ name, value: toText(inner) })) : [];

/** Returns the pairs as a record, without rows that have no name. */
function toRecord(pairs: readonly Pair[]): Readonly<Record<string, string>> | undefined {
  const named = pairs.filter(({ name }) => name.trim() !== '');
  return named.length === 0
    ? undefined
    : Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
}

/** Splits the text of a text area into lines. Empty lines at the end are dropped, because they are not arguments. */
const toLines = (text: string): readonly string[] => {
  const trimmed = withoutEnd(text, '\n');
  return trimmed === '' ? [] : trimmed.split('\n');
};

const orNothing = <T>(items: readonly T[]) => (items.length === 0 ? undefined : items);

/** True if the form can show the arguments one per line and parse them back unchanged. */
export const hasPlainArguments = (entry: RawEntry): boolean =>
  !Array.isArray(entry['args']) ||
  entry['args'].every((arg) => typeof arg === 'string' && !arg.includes('\n'));

/** Parses `NAME=value` lines, as in an environment file; undefined if a line has another form. Skips empty lines and comments. */
export function parseAssignments(text: string): readonly Pair[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line));
  const pairs = lines.map((line) => /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line));
  if (lines.length === 0 || pairs.includes(null)) return undefined;
  return pairs.map((match) => ({ name: match?.[1] ?? '', value: unquote((match?.[2] ?? '').trim()) }));
}

/** True if pasted text contains what looks like configuration or an instruction to add a server, rather than a field's value. */
export const looksLikeSnippet = (text: string): boolean =>
  (serverKey.test(text) && opensConfiguration(text)) ||
  /^[ \t]*\[[ \t]*(?:mcp_servers|mcpServers)\b/m.test(text) ||
  /^[ \t]*(?:extensions|mcpServers|mcp_servers)[ \t]*:[ \t]*(?:#.*)?$/m.test(text) ||
  /\bmcp\s+add(?:-json)?\s|\s--add-mcp\b/.test(text) ||
  installLink.test(text);

/** True if text pasted into the name or command of an empty form may be a whole server: command line, address, scoped package. */
export const mayBeServer = (text: string): boolean =>
  looksLikeSnippet(text) ||
  /\S\s+\S/.test(text) ||
  /^\s*(?:`{3}|[a-z][a-z+.-]+:\/\/|@[\w.-]+\/\w)/i.test(text);

/** True if a line opens an object, a Markdown fence or a quoted key, which may be copied without the surrounding braces. */
function opensConfiguration(text: string): boolean {
  if (/^[ \t]*(?:\{|```|~~~|["\u201c])/m.test(text)) return true;
  const comment = text.search(/^[ \t]*\/[/*]/m);
  return comment !== -1 && /["\u201c]/.test(text.slice(comment));
}

const serverKey =
  /["\u201c\u201d](?:mcpServers|servers|mcp|command|url|httpUrl|serverUrl|context_servers|packages|remotes|mcp_config)["\u201c\u201d]\s*:/;

const installLink =
  /\b(?:cursor|vscode|vscode-insiders|goose|lmstudio):(?:\/\/)?\S{0,500}?(?:install|extension|mcp)|https:\/\/\S{0,500}?(?:redirect\/mcp\/install|install-mcp|redirect\?url=vscode)/;

const unquote = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
