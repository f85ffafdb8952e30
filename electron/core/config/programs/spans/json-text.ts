import type { Node } from 'jsonc-parser';
import type { JsonObject } from '../../../../../shared/json-object.ts';
import { removeProperty } from '../../edit-servers.ts';
import { parseJsonDocument, propertiesOf, type JsonProperty } from '../../json-nodes.ts';
import { syntaxProblem } from '../../config-problem.ts';
import { detectLayout, type Edit, indentOf, ownLineIndent, printValue } from '../../text-layout.ts';
import type { KeyPath } from '../program.ts';
import type { OpenedText } from './servers-text.ts';

/** Opens JSON with comments and trailing commas. */
export function openJsonText(text: string): OpenedText {
  const document = parseJsonDocument(text);
  const [error] = document.errors;
  if (error !== undefined) return syntaxProblem(text, error);
  const { root } = document;
  if (root === undefined) return { message: 'it contains no value' };
  return {
    text,
    value: document.valueOf(root),
    find: (path) => {
      const node = nodeAt(root, path);
      return node && { from: node.offset, to: endOf(node) };
    },
    replace: (path, entry) => {
      const node = propertyAt(root, path)?.valueNode;
      return (
        node && { from: node.offset, to: endOf(node), text: print(text, entry, indentOf(text, node.offset)) }
      );
    },
    add: (path, entry) => addition(text, root, path, entry),
    remove: (path) => {
      const property = propertyAt(root, path);
      const siblings = property?.node.parent === undefined ? [] : propertiesOf(property.node.parent);
      const index = siblings.findIndex(({ node }) => node === property?.node);
      return property && removeProperty(text, property.node, siblings[index - 1]?.node);
    },
  };
}

const endOf = ({ offset, length }: Node): number => offset + length;

function nodeAt(root: Node, [key, ...rest]: KeyPath): Node | undefined {
  if (key === undefined) return root;
  const node = root.type === 'array' ? root.children?.[Number(key)] : propertyAt(root, [key])?.valueNode;
  return node && nodeAt(node, rest);
}

/** Returns the property at a path. If an object contains a key several times, the last one counts. */
function propertyAt(root: Node, path: KeyPath): JsonProperty | undefined {
  const [key, ...rest] = path;
  const property =
    root.type === 'object' ? propertiesOf(root).findLast((found) => found.key === key) : undefined;
  return rest.length === 0 || property === undefined ? property : propertyAt(property.valueNode, rest);
}

/** Prints a value as JSON: on one line if the whole file has only one line, otherwise indented. */
function print(text: string, value: unknown, indent: string): string {
  return text.trim().includes('\n') ? printValue(value, indent, detectLayout(text)) : JSON.stringify(value);
}

/** Adds the entry and missing maps on its path after the last property of the innermost existing map; replaces an empty map. */
function addition(
  text: string,
  root: Node,
  path: KeyPath,
  entry: JsonObject,
): (Edit & { readonly anchor: KeyPath }) | undefined {
  const depth = path.findIndex((_, index) => propertyAt(root, path.slice(0, index + 1)) === undefined);
  if (depth < 0) return undefined;
  const parent = depth === 0 ? root : propertyAt(root, path.slice(0, depth))?.valueNode;
  const key = path[depth];
  if (parent?.type !== 'object' || key === undefined) return undefined;
  const value = path.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), entry);
  const last = propertiesOf(parent).at(-1)?.node;
  if (last === undefined)
    return {
      from: parent.offset,
      to: endOf(parent),
      text: print(text, { [key]: value }, indentOf(text, parent.offset)),
      anchor: path.slice(0, depth),
    };
  const indent = ownLineIndent(text, last.offset);
  const line = `${JSON.stringify(key)}: ${print(text, value, indent ?? indentOf(text, last.offset))}`;
  const separator = indent === undefined ? ', ' : `,${detectLayout(text).eol}${indent}`;
  const anchor = path.slice(0, depth + 1);
  return { from: endOf(last), to: endOf(last), text: `${separator}${line}`, anchor };
}
