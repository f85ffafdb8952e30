import { findNodeAtLocation, type Node, createScanner } from 'jsonc-parser';
import {
  serverNameSchema,
  toServerConfig,
  type ServerConfig,
  type ServerEntry,
  type serverEntrySchema,
} from '../../../shared/server-config.ts';
import { openFilesDefaultOf, openFilesKindOf } from '../../../shared/open-files.ts';
import { withPanelDefaults, type Settings } from '../../../shared/settings.ts';
import { problemAt, syntaxProblem } from './config-problem.ts';
import type { FileProblem } from '../files/file-errors.ts';
import { checkEntry, entryPath } from './entry-problem.ts';
import { parseJsonDocument, propertiesOf, type JsonDocument, type JsonProperty } from './json-nodes.ts';
import type { IsOwnEndpoint } from './own-endpoint.ts';
import { defaultPanelSettings } from '../../../shared/panel-settings.ts';
import { isJsonObject } from '../../../shared/json-object.ts';
import { ownValue } from '../../../shared/own-value.ts';

/** Maximum number of servers, ten times the usual number, because each server has a row, a menu and a process tree. */
const MAX_SERVERS = 1000;
/** Maximum number of unknown keys that are listed; further keys are only counted. */
const MAX_NOTICES = 100;

export type PanelDefaults = Settings['defaults'];

/** Adds the system's default limit of open files to the user's defaults, unless they set one. Windows has no such default. */
export function withSystemDefaults(platform: NodeJS.Platform, defaults: PanelDefaults): PanelDefaults {
  const maxOpenFiles = openFilesDefaultOf[openFilesKindOf(platform)];
  return { ...defaults, limits: { maxOpenFiles, ...defaults.limits } };
}

type ParsedEntry =
  | { readonly name: string; readonly config: ServerConfig }
  | { readonly name: string; readonly problem: FileProblem };

export type ParsedServers =
  | { readonly kind: 'broken'; readonly problem: FileProblem }
  /** Entries in file order, one per name. Notices are about unknown keys. */
  | {
      readonly kind: 'parsed';
      readonly entries: readonly ParsedEntry[];
      readonly notices: readonly string[];
    };

/**
 * Parses the text of servers.json (without byte order mark). A text that is not JSONC, or has no `mcpServers` object, is broken
 * as a whole; any other problem affects one entry only.
 * @param resolvePath makes a path of an entry absolute
 * @param defaults the user's settings for servers that do not set their own
 * @param isOwnEndpoint detects addresses of the panel itself; default: none
 */
export function parseServers(
  text: string,
  resolvePath: (cwd: string) => string,
  defaults: PanelDefaults = {},
  isOwnEndpoint: IsOwnEndpoint = () => false,
): ParsedServers {
  const deep = tooDeep(text);
  if (deep !== undefined) return { kind: 'broken', problem: deep };
  const document = parseJsonDocument(text);
  const [error] = document.errors;
  if (error !== undefined) return { kind: 'broken', problem: syntaxProblem(text, error) };
  const servers = findServers(text, document.root);
  if ('message' in servers) return { kind: 'broken', problem: servers };
  const properties = propertiesOf(servers);
  if (properties.length > MAX_SERVERS) {
    const message = `mcpServers: expected at most ${MAX_SERVERS} servers, found ${properties.length}`;
    return { kind: 'broken', problem: problemAt(text, servers.offset, message) };
  }
  return parseEntries({ text, document, resolvePath, defaults, isOwnEndpoint }, properties);
}

/** Returns the object node of `mcpServers`, or a problem if the text has no such object, or has `mcpServers` twice. */
export function findServers(text: string, root: Node | undefined): Node | FileProblem {
  if (root?.type !== 'object') {
    return problemAt(text, root?.offset ?? 0, `expected { "mcpServers": { … } }, found ${kindOf(root)}`);
  }
  const properties = propertiesOf(root);
  const [servers, second] = properties.filter(({ key }) => key === 'mcpServers');
  if (servers === undefined) return problemAt(text, root.offset, missingServers(properties));
  if (second !== undefined)
    return problemAt(text, second.node.offset, '"mcpServers" appears here a second time');
  if (servers.valueNode.type === 'object') return servers.valueNode;
  const found = kindOf(servers.valueNode);
  return problemAt(text, servers.valueNode.offset, `mcpServers: expected an object, found ${found}`);
}

interface EntryContext {
  readonly text: string;
  readonly document: JsonDocument;
  readonly resolvePath: (cwd: string) => string;
  readonly defaults: PanelDefaults;
  readonly isOwnEndpoint: IsOwnEndpoint;
}

function parseEntries(context: EntryContext, properties: readonly JsonProperty[]): ParsedServers {
  const byName = new Map<string, ParsedEntry>();
  const notices: string[] = [];
  for (const property of properties) {
    const isDouble = byName.has(property.key);
    byName.set(property.key, isDouble ? doubleEntry(context, property) : parseEntry(context, property));
    const unknown = findUnknownKeys(context.document.valueOf(property.valueNode));
    for (const path of unknown)
      notices.push(`${entryPath(property.key)}.${path} is not a known setting; it is kept unchanged`);
  }
  const more = notices.length - MAX_NOTICES;
  const kept =
    more > 0 ? [...notices.slice(0, MAX_NOTICES), `${more} more keys are not known settings`] : notices;
  return { kind: 'parsed', entries: [...byName.values()], notices: kept };
}

function parseEntry(context: EntryContext, property: JsonProperty): ParsedEntry {
  const { text, document, resolvePath, defaults, isOwnEndpoint } = context;
  const name = property.key;
  const named = serverNameSchema.safeParse(name);
  if (!named.success) {
    const message = `${entryPath(JSON.stringify(name))}: ${named.error.issues[0]?.message ?? 'is not a name'}`;
    return { name, problem: problemAt(text, property.keyNode.offset, message) };
  }
  const value = document.valueOf(property.valueNode);
  const checked = checkEntry(value, isOwnEndpoint);
  if (checked.ok) {
    const config = toServerConfig(name, checked.entry, resolvePath);
    return { name, config: { ...config, panel: withPanelDefaults((value as ServerEntry).panel, defaults) } };
  }
  const [issue] = checked.issues;
  const node = deepestNode(property, issue.path);
  return { name, problem: problemAt(text, node.offset, `${entryPath(name, issue.path)}${issue.statement}`) };
}

function doubleEntry({ text }: EntryContext, { key, keyNode }: JsonProperty): ParsedEntry {
  return {
    name: key,
    problem: problemAt(text, keyNode.offset, `${entryPath(key)} appears here a second time`),
  };
}

/** Returns the node at `path` below an entry, or its nearest existing ancestor. */
function deepestNode(property: JsonProperty, path: readonly (string | number)[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(property.valueNode, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return path.length === 0 ? property.valueNode : property.keyNode;
}

function missingServers(properties: readonly JsonProperty[]): string {
  const keys = properties.map(({ key }) => JSON.stringify(key.slice(0, 40)));
  const found = keys.length === 0 ? 'an empty object' : `only ${keys.slice(0, 5).join(', ')}`;
  return `"mcpServers" is missing: expected { "mcpServers": { … } }, found ${found}`;
}

function kindOf(node: Node | undefined): string {
  if (node === undefined) return 'nothing';
  if (node.type === 'null') return 'null';
  return node.type === 'array' || node.type === 'object' ? `an ${node.type}` : `a ${node.type}`;
}

/** Maximum nesting depth, ten times what any configuration needs; recursive parsers exhaust the stack at some thousands. */
const MAX_DEPTH = 100;

/** Token kinds of jsonc-parser, whose enum is const and cannot be imported: `{` `}` `[` `]` and the end. */
const OPENING: readonly number[] = [1, 3];
const CLOSING: readonly number[] = [2, 4];
const END = 17;

/** Returns a problem at the position where nesting exceeds the maximum. Called before parsing. */
function tooDeep(text: string): FileProblem | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (OPENING.includes(kind)) depth += 1;
    else if (CLOSING.includes(kind)) depth -= 1;
    if (depth > MAX_DEPTH) {
      const message = `expected at most ${MAX_DEPTH} levels of objects and lists, found more: it is nested too deeply`;
      return problemAt(text, scanner.getTokenOffset(), message);
    }
  }
  return undefined;
}

/** All known keys of an entry. Those below `panel` come from the default settings; only keys without a default are added here. */
const KNOWN = {
  type: null,
  command: null,
  args: null,
  env: null,
  cwd: null,
  url: null,
  headers: null,
  tls: { verify: null, caFile: null },
  disabled: null,
  panel: {
    ...defaultPanelSettings,
    account: null,
    runOn: null,
    health: { ...defaultPanelSettings.health, check: null },
    approval: { ...defaultPanelSettings.approval, tools: null },
  },
} satisfies Record<keyof typeof serverEntrySchema.shape, unknown>;

/** Returns the paths (below the entry) of unknown keys: typos, or another client's own. */
function findUnknownKeys(entry: unknown): readonly string[] {
  return unknownBelow(entry, KNOWN, '').map((path) => path.slice(1));
}

function unknownBelow(value: unknown, known: unknown, path: string): readonly string[] {
  if (!isJsonObject(value) || !isJsonObject(known)) return [];
  return Object.keys(value).flatMap((key) =>
    Object.hasOwn(known, key)
      ? unknownBelow(ownValue(value, key), ownValue(known, key), `${path}.${key}`)
      : [`${path}.${key}`],
  );
}
