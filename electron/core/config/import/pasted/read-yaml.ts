import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import type { ImportProblem } from '../../../../../shared/manage.ts';
import { isUnreadable } from '../../programs/spans/servers-text.ts';
import { openYamlText } from '../../programs/spans/yaml-text.ts';
import { EntryCollector } from '../entry-collector.ts';
import { withPlainQuotes } from './pasted-text.ts';
import { readServersOfValue } from './read-servers.ts';

const MAP =
  /^[ \t]*(?:extensions|mcpServers|mcp_servers|mcp-servers|context_servers|servers)[ \t]*:[ \t]*(?:#.*)?$/m;
const ENTRY = /^[ \t]*(?:- )?(?:command|cmd|url|uri)[ \t]*:[ \t]*\S/m;
/** Parser options for YAML copied from a README, which needs no aliases and may contain a key twice. */
const LOOSELY = { maxAliasCount: 0, uniqueKeys: false };
/** Maximum characters of a text, because the parser is slow for each level of nesting, and a long text may have many. */
const MAX_LENGTH = 32_768;
const DEEP = /(?:[-?[{][ \t]*(?:[\w"']+:[ \t]*)?){40}/;

/** Reports whether a text is YAML with a server map, as Goose and others keep it, or with one entry. */
export const looksLikeYaml = (text: string): boolean => ENTRY.test(text) && !/^\s*[{[]/.test(text);

/** Reads the servers of a YAML text; ignores prose before the map. */
export function readYaml(text: string, collector: EntryCollector): ImportProblem | undefined {
  const bare = fromMap(text);
  if (isTooMuch(bare))
    return { path: '', message: 'it is too long or too deeply nested for a YAML of servers' };
  for (const candidate of new Set([bare, withPlainQuotes(bare), withQuotedScopes(bare)])) {
    const value = valueOf(candidate);
    if (isJsonObject(value) || Array.isArray(value)) return readServersOfValue(flattened(value), collector);
  }
  const opened = openYamlText(bare, LOOSELY);
  const { line, column } = isUnreadable(opened) ? opened : {};
  return { path: '', message: 'it is not valid YAML', ...(line !== undefined && { line, column }) };
}

/** Reads JSON-like text with unquoted names: `{ mcpServers: { … } }`. Returns true if it contains servers. */
export function readLooseJson(text: string, collector: EntryCollector): boolean {
  if (isTooMuch(text)) return false;
  const value = valueOf(text.slice(text.indexOf('{')));
  if (!isJsonObject(value)) return false;
  // Servers are collected only if the text has no problem at all. Otherwise the caller reports the problem of reading it as
  // JSON.
  const trial = new EntryCollector();
  const isFine = readServersOfValue(value, trial) === undefined && trial.build().problems.length === 0;
  return isFine && trial.hasEntries && readServersOfValue(value, collector) === undefined;
}

/** Maximum number of quotes, because the parser slowly creates an error for each misplaced one. */
const MAX_QUOTES = 2000;

const isTooMuch = (text: string): boolean =>
  text.length > MAX_LENGTH || text.split('"', MAX_QUOTES + 1).length > MAX_QUOTES || DEEP.test(text);

function valueOf(text: string): unknown {
  const opened = openYamlText(text, LOOSELY);
  return isUnreadable(opened) ? undefined : opened.value;
}

/** Quotes scoped packages, because `@` is reserved in YAML but instructions leave it unquoted. */
const withQuotedScopes = (text: string): string =>
  text.replace(/(^[ \t]*-[ \t]+|[[,][ \t]*)(@[^\s,\]"']+)/gm, '$1"$2"');

/** Empties the lines before the map of servers. If there is no map, all lines are kept. */
function fromMap(text: string): string {
  const at = text.search(MAP);
  return at < 0 ? text : text.slice(0, at).replace(/[^\n]/g, '') + text.slice(at);
}

/** Unwraps Goose entries that some of its versions nest in `config`. Recipes with a list of extensions are returned unchanged. */
function flattened(value: JsonObject | readonly unknown[]): unknown {
  if (!isJsonObject(value) || !isJsonObject(value['extensions'])) return value;
  const extensions = Object.entries(value['extensions']).flatMap(([name, extension]) => {
    const { config, ...rest } = isJsonObject(extension) ? extension : {};
    const entry = isJsonObject(config) ? { ...config, ...rest } : rest;
    // Extensions that are built into Goose cannot run outside of it.
    return /^(builtin|platform|frontend)$/.test(String(entry['type'])) ? [] : [[name, entry] as const];
  });
  return { extensions: Object.fromEntries(extensions) };
}
