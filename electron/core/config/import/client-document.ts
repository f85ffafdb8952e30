import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { problemAt, syntaxProblem } from '../config-problem.ts';
import { parseJsonDocument, type JsonDocument } from '../json-nodes.ts';
import type { ImportProblem } from './entry-collector.ts';

/** Parsed file of a client. */
export interface ClientDocument {
  /** The text without its byte order mark. */
  readonly text: string;
  readonly json: JsonDocument;
  readonly root: Node;
}

/** Parses a file with comments and trailing commas, even if the client does not allow them. Never throws. */
export function openDocument(source: string): ClientDocument | ImportProblem {
  const text = source.replace(/^\uFEFF/, '');
  if (text.trim() === '') return { path: '', message: 'there is nothing in it' };
  try {
    const json = parseJsonDocument(text);
    const [error] = json.errors;
    if (error !== undefined) return { path: '', ...syntaxProblem(text, error) };
    return json.root === undefined
      ? { path: '', message: 'it holds no value' }
      : { text, json, root: json.root };
  } catch (error) {
    // The parser recurses for each level.
    if (error instanceof RangeError) return { path: '', message: 'it is nested too deeply' };
    throw error;
  }
}

export function isProblem(value: ClientDocument | ImportProblem): value is ImportProblem {
  return 'message' in value;
}

/** Returns the node at `path`; undefined where it is no object. */
export function objectAt({ root }: ClientDocument, path: readonly (string | number)[]): Node | undefined {
  const node = path.length === 0 ? root : findNodeAtLocation(root, [...path]);
  return node?.type === 'object' ? node : undefined;
}

/** Returns the plain value at `path`; undefined where there is none. */
export function valueAt({ root, json }: ClientDocument, path: readonly (string | number)[]): unknown {
  const node = findNodeAtLocation(root, [...path]);
  return node === undefined ? undefined : json.valueOf(node);
}

/** Creates a problem at a node of the document. */
export function documentProblem(
  { text }: ClientDocument,
  path: readonly (string | number)[],
  node: Node,
  message: string,
): ImportProblem {
  return { path: path.join('.'), ...problemAt(text, node.offset, message) };
}
