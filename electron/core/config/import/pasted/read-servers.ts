import type { Node } from 'jsonc-parser';
import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import { propertiesOf } from '../../json-nodes.ts';
import {
  isProblem,
  objectAt,
  openDocument,
  documentProblem,
  valueAt,
  type ClientDocument,
} from '../client-document.ts';
import type { EntryCollector, ImportProblem } from '../entry-collector.ts';
import { ADDRESS_KEYS } from '../entry-shape.ts';
import { nameOfEntry } from '../name-of-entry.ts';
import { ReadingBuilder } from '../server-map.ts';
import type { TranslationContext } from '../translate-entry.ts';
import { inputHints } from '../input-hints.ts';
import type { FoundServer, Refusal } from './pasted-text.ts';
import { serverOfRegistry } from './registry-entry.ts';
import type { AskHint } from '../entry-asks.ts';

/**
 * Paths of the server maps of clients: most of them, VS Code, its older settings.json, Zed, OpenCode, Codex, Goose, Amp, Augment,
 * Continue. A list of named servers may stand there as well.
 */
const MAPS: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['mcp', 'servers'],
  ['servers'],
  ['context_servers'],
  ['mcp_servers'],
  ['mcp-servers'],
  ['extensions'],
  ['amp.mcpServers'],
  ['augment.advanced', 'mcpServers'],
  ['experimental', 'modelContextProtocolServers'],
  ['modelContextProtocolServers'],
  ['mcp'],
];
const EXPECTED = 'expected { "mcpServers": { … } }, { "<name>": { "command": … } } or one { "command": … }';

/**
 * Collects the servers of a document in the format of any client. Returns the problem of a document that names none.
 * @param shift columns added in front of the first line
 */
export function readServers(
  document: ClientDocument,
  collector: EntryCollector,
  shift = 0,
  context: TranslationContext = {},
): ImportProblem | undefined {
  const { root, json } = document;
  const described = describedIn(document);
  if (described !== undefined) {
    if ('message' in described) return described;
    const { name, client, ...rest } = described;
    collector.add(name, client, { ...context, ...rest }, (_, message) =>
      documentProblem(document, [], root, message),
    );
    return undefined;
  }
  const reading = new ReadingBuilder(document, shift === 0 ? collector : shifted(collector, shift));
  const map = MAPS.find((path) => isMap(objectAt(document, path)));
  const list = MAPS.find((path) => isList(nodeAt(document, path)));
  if (map !== undefined) {
    reading.addMap(map, {
      ...context,
      hints: inputHints(valueAt(document, [...map.slice(0, -1), 'inputs'])),
    });
  } else if (list !== undefined) {
    addList(document, list, reading, context);
  } else if (isEntry(root)) {
    const hints = inputHints(valueAt(document, ['inputs']));
    reading.addServer(nameOfEntry(json.valueOf(root)), root, [], { ...context, hints });
  } else if (isList(root)) {
    addList(document, [], reading, context);
  } else if (isMap(root) && propertiesOf(root).length > 0) {
    reading.addMap([], context);
  } else {
    return documentProblem(document, [], root, EXPECTED);
  }
  return undefined;
}

/**
 * Collects the servers as `readServers` does, from a value that was parsed from another format than JSON. Problems have no
 * positions.
 */
export function readServersOfValue(
  value: unknown,
  collector: EntryCollector,
  context: TranslationContext = {},
): ImportProblem | undefined {
  const document = documentOf(value);
  const problem = isProblem(document)
    ? document
    : readServers(document, withoutPlaces(collector), 0, context);
  return problem === undefined ? undefined : placeless(problem);
}

function documentOf(value: unknown): ClientDocument | ImportProblem {
  try {
    return openDocument(JSON.stringify(value) ?? 'null');
  } catch (error) {
    // A TypeError comes from TOML's big integers, which JSON lacks; a RangeError from too deep nesting.
    if (error instanceof RangeError || error instanceof TypeError)
      return { path: '', message: 'it holds what no entry has: a huge number, or too many levels' };
    throw error;
  }
}

/**
 * Returns the server that a document describes. It parses the whole value only if it may be a description, because a long text
 * has many values.
 */
function describedIn({ root, json }: ClientDocument): FoundServer | Refusal | undefined {
  if (root.type !== 'object' || !propertiesOf(root).some(({ key }) => DESCRIBES.has(key))) return undefined;
  const value = json.valueOf(root);
  return isJsonObject(value) ? describedServer(value) : undefined;
}

function addList(
  document: ClientDocument,
  path: readonly string[],
  reading: ReadingBuilder,
  context: TranslationContext,
): void {
  for (const [index, node] of (nodeAt(document, path)?.children ?? []).entries())
    reading.addServer(nameOfEntry(document.json.valueOf(node)), node, [...path, index], context);
}

const nodeAt = ({ root }: ClientDocument, path: readonly string[]): Node | undefined =>
  path.reduce<Node | undefined>(
    (node, key) =>
      node?.type === 'object'
        ? propertiesOf(node).findLast((property) => property.key === key)?.valueNode
        : undefined,
    root,
  );

/** Reports whether an object is a server map: empty, or with a value that looks like an entry. */
function isMap(node: Node | undefined): boolean {
  if (node?.type !== 'object' || isEntry(node)) return false;
  const properties = propertiesOf(node);
  return properties.length === 0 || properties.some(({ valueNode }) => isEntry(valueNode));
}

const isList = (node: Node | undefined): boolean =>
  node?.type === 'array' && (node.children ?? []).some(isEntry);

function isEntry(node: Node): boolean {
  if (node.type !== 'object') return false;
  return propertiesOf(node).some(({ key, valueNode }) => {
    if (valueNode.type === 'object') return hasConnection(key, valueNode);
    return /^(command|cmd)$/.test(key) || (isAddressKey(key) && valueNode.type === 'string');
  });
}

/** Reports whether an entry nests its command line or address, as in older versions of Zed, and in Cline. */
const hasConnection = (key: string, node: Node): boolean =>
  propertiesOf(node).some(
    ({ key: inner, valueNode: { type } }) =>
      type === 'string' &&
      (key === 'command'
        ? inner === 'path'
        : key === 'transport' && (inner === 'command' || isAddressKey(inner))),
  );

const isAddressKey = (key: string): boolean => ADDRESS_KEYS.some((known) => known === key);

/** Subtracts the added columns in the problems of what is collected. */
const shifted = (collector: EntryCollector, shift: number): EntryCollector =>
  collector.withProblems((problem) =>
    problem.line === 1 && problem.column !== undefined
      ? { ...problem, column: problem.column - shift }
      : problem,
  );

const withoutPlaces = (collector: EntryCollector): EntryCollector => collector.withProblems(placeless);

const placeless = ({ path, message }: ImportProblem): ImportProblem => ({
  path: '',
  message: path === '' ? message : `${path}: ${message}`,
});

/** Keys of which a description has at least one. */
const DESCRIBES: ReadonlySet<string> = new Set(['server', 'packages', 'remotes']);

/** Returns the server that its author describes: `server.json` of the registry, or the manifest of a bundle. */
function describedServer(value: JsonObject): FoundServer | Refusal | undefined {
  const inner = value['server'];
  if (isJsonObject(inner) && isJsonObject(inner['mcp_config']))
    return serverOfManifest(value, inner['mcp_config']);
  const described = isJsonObject(inner) ? inner : value;
  return Array.isArray(described['packages']) || Array.isArray(described['remotes'])
    ? serverOfRegistry(described)
    : undefined;
}

const FOLDER = '${__dirname}';

/** Returns the server of an unpacked bundle's `manifest.json` (.mcpb). The user is asked for its folder and settings. */
function serverOfManifest(manifest: JsonObject, { command, args, env }: JsonObject): FoundServer {
  const { name, display_name: title, user_config: settings } = manifest;
  const hints = isJsonObject(settings)
    ? Object.entries(settings).map(([key, setting]): [string, AskHint] => [
        `\${user_config.${key}}`,
        hintOf(setting),
      ])
    : [];
  return {
    name:
      ([name, title].find((text) => typeof text === 'string' && text !== '') as string | undefined) ??
      'server',
    client: { command, args, env },
    hints: new Map([
      ...hints,
      [FOLDER, { description: 'Folder into which the bundle was unpacked', kind: 'path' }],
    ]),
  };
}

function hintOf(setting: unknown): AskHint {
  if (!isJsonObject(setting)) return {};
  const { title, sensitive, type, default: suggestion } = setting;
  return {
    ...(typeof title === 'string' && { description: title }),
    ...(typeof sensitive === 'boolean' && { isSecret: sensitive }),
    ...(typeof suggestion === 'string' && { suggestion }),
    ...((type === 'directory' || type === 'file') && { kind: 'path' as const }),
  };
}
