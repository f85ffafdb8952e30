import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** A parsed JSONC text. `errors` is empty exactly when the whole text could be read. */
export interface JsonDocument {
  readonly root: Node | undefined;
  readonly errors: readonly ParseError[];
  /** Converts a node to plain JavaScript. The last of several equal keys wins, as in JSON.parse. */
  valueOf(node: Node): unknown;
}

export interface JsonProperty {
  readonly key: string;
  readonly keyNode: Node;
  readonly valueNode: Node;
  /** Node that consists of the key, the colon and the value. */
  readonly node: Node;
}

/** SyntaxKind.Unknown and SyntaxKind.EOF of jsonc-parser, whose enum is const and cannot be imported. */
const UNKNOWN_TOKEN = 16;
const END_TOKEN = 17;

/**
 * Parses JSON with comments and trailing commas. `NaN` and `Infinity`, which programs write although JSON does not have them,
 * are read as numbers, so that they make only one value invalid instead of making the whole file unreadable.
 */
export function parseJsonDocument(text: string): JsonDocument {
  const words = findNumberWords(text);
  const errors: ParseError[] = [];
  const root = parseTree(maskWords(text, words), errors, { allowTrailingComma: true });
  return { root, errors, valueOf: (node) => toValue(node, words) };
}

/** Returns the properties of an object node in text order, duplicates included. */
export function propertiesOf(node: Node): readonly JsonProperty[] {
  return (node.children ?? []).flatMap((property) => {
    const [keyNode, valueNode] = property.children ?? [];
    if (keyNode === undefined || valueNode === undefined) return [];
    return [{ key: String(keyNode.value), keyNode, valueNode, node: property }];
  });
}

function findNumberWords(text: string): ReadonlyMap<number, string> {
  const words = new Map<number, string>();
  // A quick test first: most texts contain neither word, and scanning all tokens of a long text takes as long as parsing it.
  if (!/NaN|Infinity/.test(text)) return words;
  const scanner = createScanner(text, true);
  for (let kind: number = scanner.scan(); kind !== END_TOKEN; kind = scanner.scan()) {
    if (kind !== UNKNOWN_TOKEN) continue;
    const word = text.slice(scanner.getTokenOffset(), scanner.getPosition());
    if (word === 'NaN' || word === 'Infinity') words.set(scanner.getTokenOffset(), word);
  }
  return words;
}

/** Replaces `NaN` and `Infinity` by strings of the same length, so that every offset stays valid. */
function maskWords(text: string, words: ReadonlyMap<number, string>): string {
  let masked = text;
  for (const [offset, word] of words) {
    masked = `${masked.slice(0, offset)}"${'-'.repeat(word.length - 2)}"${masked.slice(offset + word.length)}`;
  }
  return masked;
}

function toValue(node: Node, words: ReadonlyMap<number, string>): unknown {
  const word = words.get(node.offset);
  if (word !== undefined) return Number(word);
  if (node.type === 'array') return (node.children ?? []).map((child) => toValue(child, words));
  if (node.type !== 'object') return node.value as unknown;
  // fromEntries defines own properties, so that a key like "__proto__" stays a key.
  return Object.fromEntries(propertiesOf(node).map(({ key, valueNode }) => [key, toValue(valueNode, words)]));
}

/** Returns the entry `name` from the text of servers.json, unknown keys included; undefined when there is none. */
export function readEntry(text: string, name: string): Record<string, unknown> | undefined {
  const document = parseJsonDocument(text);
  const servers = document.root && memberOf(document.root, 'mcpServers');
  const node = servers && memberOf(servers, name);
  return node?.type === 'object' ? (document.valueOf(node) as Record<string, unknown>) : undefined;
}

/** Finds a member; the last of equal keys counts, as in JSON.parse. */
function memberOf(node: Node, key: string): Node | undefined {
  return node.type === 'object'
    ? propertiesOf(node).findLast((property) => property.key === key)?.valueNode
    : undefined;
}
