import { valueAt } from '../../../../../shared/own-value.ts';
import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import type { KeyPath } from '../../programs/program.ts';
import { serversAt } from '../../programs/spans/servers-text.ts';
import type { ImportProblem } from '../../../../../shared/manage.ts';
import type { EntryCollector, FieldPath, ProblemAtField } from '../entry-collector.ts';
import { ADDRESS_KEYS } from '../entry-shape.ts';
import { nameOfEntry } from '../name-of-entry.ts';
import type { TranslationContext } from '../translate-entry.ts';
import type { FoundServer, Refusal } from './pasted-text.ts';
import { serverOfRegistry } from './registry-entry.ts';
import { inputHints, type AskHint } from '../entry-asks.ts';

/**
 * Paths at which clients keep their map of servers in their configuration: most clients, VS Code, its older settings.json, Zed,
 * OpenCode, Codex, Goose, Amp, Augment, Continue. A list of entries may be there instead of a map.
 */
const MAPS: readonly KeyPath[] = [
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

/** A configuration as a plain value, and a function that creates a problem for one of its parts. */
export interface ClientDocument {
  readonly value: unknown;
  readonly problemAt: ProblemAtField;
}

/** Collects the servers of a document in the format of any client. Returns the problem of a document that names none. */
export function readServers(
  { value, problemAt }: ClientDocument,
  collector: EntryCollector,
  context: TranslationContext = {},
): ImportProblem | undefined {
  const described = isJsonObject(value) ? describedServer(value) : undefined;
  if (described !== undefined) {
    if ('message' in described) return described;
    const { name, client, ...rest } = described;
    collector.add(name, client, { ...context, ...rest }, (_, message) => problemAt([], message));
    return undefined;
  }
  const add = (name: string, entry: unknown, path: FieldPath, inputs?: KeyPath) => {
    const hints = inputs && { hints: inputHints(valueAt(value, inputs)) };
    collector.add(name, entry, { ...context, ...hints }, (field, message) =>
      problemAt([...path, ...field], message),
    );
  };
  const mapAt = MAPS.find((path) => isMap(valueAt(value, path)));
  const listAt = [...MAPS, []].find((path) => isList(valueAt(value, path)));
  if (mapAt !== undefined) {
    const inputs = [...mapAt.slice(0, -1), 'inputs'];
    for (const [name, entry] of serversAt(value, mapAt)) add(name, entry, [...mapAt, name], inputs);
  } else if (listAt !== undefined) {
    const list = valueAt(value, listAt) as readonly unknown[];
    for (const [index, entry] of list.entries()) add(nameOfEntry(entry), entry, [...listAt, index]);
  } else if (isEntry(value)) {
    add(nameOfEntry(value), value, [], ['inputs']);
  } else if (isMap(value) && Object.keys(value as object).length > 0) {
    for (const [name, entry] of serversAt(value, [])) add(name, entry, [name]);
  } else {
    return problemAt([], EXPECTED);
  }
  return undefined;
}

/** Collects the servers like `readServers` from a value parsed from a format other than JSON. Problems have no positions. */
export function readServersOfValue(value: unknown, collector: EntryCollector): ImportProblem | undefined {
  const problemAt: ProblemAtField = (path, message) => ({
    path: '',
    message: path.length === 0 ? message : `${path.join('.')}: ${message}`,
  });
  try {
    return readServers({ value: JSON.parse(JSON.stringify(value) ?? 'null'), problemAt }, collector);
  } catch (error) {
    // TOML's big integers cause a TypeError, because JSON has no such type. Nesting that is too deep causes a RangeError.
    if (error instanceof RangeError || error instanceof TypeError)
      return problemAt([], 'it contains what no entry has: a huge number, or too many levels');
    throw error;
  }
}

/** Reports whether a value is a server map: empty, or with a value that looks like an entry. */
const isMap = (value: unknown): boolean =>
  isJsonObject(value) &&
  !isEntry(value) &&
  (Object.keys(value).length === 0 || Object.values(value).some(isEntry));

const isList = (value: unknown): boolean => Array.isArray(value) && value.some(isEntry);

const isEntry = (value: unknown): boolean =>
  isJsonObject(value) &&
  Object.entries(value).some(([key, field]) =>
    isJsonObject(field)
      ? hasConnection(key, field)
      : /^(command|cmd)$/.test(key) || (isAddressKey(key) && typeof field === 'string'),
  );

/** Reports whether an entry nests its command line or address, as in older versions of Zed and in Cline. */
const hasConnection = (key: string, fields: JsonObject): boolean =>
  Object.entries(fields).some(
    ([inner, text]) =>
      typeof text === 'string' &&
      (key === 'command'
        ? inner === 'path'
        : key === 'transport' && (inner === 'command' || isAddressKey(inner))),
  );

const isAddressKey = (key: string): boolean => ADDRESS_KEYS.some((known) => known === key);

/** Returns the server from its author's description: the registry's `server.json` or a bundle's manifest; otherwise undefined. */
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
