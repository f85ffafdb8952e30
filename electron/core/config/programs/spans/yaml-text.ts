import { isMap, isScalar, isSeq, parseDocument, type Document, type Node, type YAMLMap } from 'yaml';
import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import type { KeyPath } from '../program.ts';
import { eolOf, type OpenedText } from './servers-text.ts';

/** Maximum number of aliases, because nested aliases can expand a short text to an enormous value. */
const MAX_ALIASES = 100;

/** Opens YAML, in which the servers are a map, or a list of maps with a `name`. */
export function openYamlText(
  text: string,
  { maxAliasCount, uniqueKeys } = { maxAliasCount: MAX_ALIASES, uniqueKeys: true },
): OpenedText {
  try {
    const document = parseDocument(text, { keepSourceTokens: true, logLevel: 'silent', uniqueKeys });
    const [error] = document.errors;
    if (error !== undefined) {
      const place = error.linePos?.[0];
      return { message: 'it is not valid YAML', ...(place && { line: place.line, column: place.col }) };
    }
    const regionAt = (path: KeyPath) => {
      const range = mapAt(document, path)?.range ?? undefined;
      return range && { from: range[0], to: endOf(text, range) };
    };
    return {
      text,
      value: document.toJS({ maxAliasCount }) as unknown,
      find: regionAt,
      replace: (path, entry) => {
        const region = regionAt(path);
        return region && { ...region, text: print(text, region.from, mapAt(document, path)?.flow, entry) };
      },
    };
  } catch (error) {
    // A ReferenceError means too many aliases, a RangeError too many levels. Any other error is a bug of the panel.
    if (error instanceof ReferenceError) return { message: 'it contains too many aliases' };
    if (error instanceof RangeError) return { message: 'it is nested too deeply' };
    throw error;
  }
}

/**
 * Returns where the text of a node really ends. The range of a block node also includes the line breaks and comments after it.
 */
function endOf(text: string, [from, to]: readonly [number, number, number]): number {
  return from + text.slice(from, to).trimEnd().length;
}

function mapAt({ contents }: Document.Parsed, path: KeyPath): YAMLMap | undefined {
  const found = path.reduce<Node | undefined>((parent, key) => childAt(parent, key), contents ?? undefined);
  return isMap(found) ? found : undefined;
}

function childAt(parent: Node | undefined, key: string): Node | undefined {
  if (isMap(parent))
    return nodeOf(parent.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.value);
  if (!isSeq(parent)) return undefined;
  return nodeOf(parent.items.find((item) => isMap(item) && item.get('name') === key));
}

const nodeOf = (value: unknown): Node | undefined =>
  isMap(value) || isSeq(value) || isScalar(value) ? value : undefined;

/** Prints an entry in the style of the old one: in one line for flow style, otherwise as a block with the same indentation. */
function print(text: string, from: number, isFlow: boolean | undefined, entry: JsonObject): string {
  if (isFlow === true) return JSON.stringify(entry);
  const column = from - (text.lastIndexOf('\n', from - 1) + 1);
  return blockLines(entry).join(eolOf(text) + ' '.repeat(column));
}

function blockLines(map: JsonObject): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const name = /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
    if (!isJsonObject(value) || Object.keys(value).length === 0) return [`${name}: ${JSON.stringify(value)}`];
    return [`${name}:`, ...blockLines(value).map((line) => `  ${line}`)];
  });
}
