import { createScanner, type Node } from 'jsonc-parser';
import { parseJsonDocument, propertiesOf } from './json-nodes.ts';
import { findServers } from './parse-servers.ts';
import {
  applyEdit,
  type Edit,
  detectLayout,
  indentOf,
  ownLineIndent,
  printValue,
  widenCut,
} from './text-layout.ts';

/**
 * Returns the text of servers.json with the entry `name` set to `entry`. An existing entry is replaced in place; a new one is
 * added after the last. All other text stays, including comments. `parseServers` must be able to read `text`. jsonc-parser's
 * `modify` is not used: on removal it drops comments between neighboring entries, and it leaves a stray comma when it removes
 * the only entry and a trailing comma follows.
 */
export function putEntry(text: string, name: string, entry: unknown): string {
  const servers = serversNode(text);
  const property = propertiesOf(servers).find(({ key }) => key === name);
  if (property === undefined) return insertEntry(text, servers, name, entry);
  const { node, valueNode } = property;
  const value = printValue(entry, indentOf(text, node.offset), detectLayout(text));
  const edit = { from: valueNode.offset, to: endOf(valueNode), text: value };
  return removeFrom(applyEdit(text, edit), name, 1);
}

/** Returns the text without the entry `name`, and without its duplicates. Comments around the entry stay. */
export function removeEntry(text: string, name: string): string {
  return removeFrom(text, name, 0);
}

/** Removes every entry `name` except the first `kept` of them. */
function removeFrom(text: string, name: string, kept: number): string {
  const properties = propertiesOf(serversNode(text));
  const places = properties.flatMap(({ key }, index) => (key === name ? [index] : []));
  const index = places[kept];
  const property = index === undefined ? undefined : properties[index]?.node;
  if (index === undefined || property === undefined) return text;
  return removeFrom(removeProperty(text, property, properties[index - 1]?.node), name, kept);
}

function insertEntry(text: string, servers: Node, name: string, entry: unknown): string {
  const layout = detectLayout(text);
  const last = propertiesOf(servers).at(-1)?.node;
  const outer = indentOf(text, servers.offset);
  const inner = (last && ownLineIndent(text, last.offset)) ?? outer + layout.indent;
  const line = `${inner}${JSON.stringify(name)}: ${printValue(entry, inner, layout)}`;
  const close = endOf(servers) - 1;
  // The entry is inserted before the closing brace and after every comment, so that each comment stays with its line.
  const from = text.slice(0, close).trimEnd().length;
  const added = { from, to: close, text: `${layout.eol}${line}${layout.eol}${outer}` };
  const needsComma = last !== undefined && findComma(text, endOf(last)) === undefined;
  return applyEdits(text, needsComma ? [{ from: endOf(last), to: endOf(last), text: ',' }, added] : [added]);
}

/** Returns the text without a property of an object. `previous` is the property before it. Comments around it stay. */
export function removeProperty(text: string, property: Node, previous: Node | undefined): string {
  const end = endOf(property);
  const comma = findComma(text, end);
  if (comma !== undefined) {
    const isNext = text.slice(end, comma).trim() === '';
    const cut = { ...widenCut(text, property.offset, isNext ? comma + 1 : end), text: '' };
    return applyEdits(text, isNext ? [cut] : [cut, { from: comma, to: comma + 1, text: '' }]);
  }
  const cut = { ...widenCut(text, property.offset, end), text: '' };
  const before = previous && findComma(text, endOf(previous));
  return applyEdits(text, before === undefined ? [cut] : [{ from: before, to: before + 1, text: '' }, cut]);
}

/**
 * Returns the offset of the comma after `offset`, skipping comments and white space; undefined when another token comes first.
 */
function findComma(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === ',' ? scanner.getTokenOffset() : undefined;
}

function serversNode(text: string): Node {
  const servers = findServers(text, parseJsonDocument(text).root);
  if ('message' in servers)
    throw new Error(`servers.json was to be edited although it is broken: ${servers.message}`);
  return servers;
}

/** @param edits in text order, without overlaps */
function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(applyEdit, text);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}
