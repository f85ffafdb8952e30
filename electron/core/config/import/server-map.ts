import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { propertiesOf } from '../json-nodes.ts';
import { documentProblem, type ClientDocument } from './client-document.ts';
import { EntryCollector, type FieldPath, type ImportReading } from './entry-collector.ts';
import type { TranslationContext } from './translate-entry.ts';

/** Builder for the servers of one document, from all the places that its client uses. */
export class ReadingBuilder {
  readonly #document: ClientDocument;
  readonly #collector: EntryCollector;

  /** @param collector shared by several documents */
  constructor(document: ClientDocument, collector = new EntryCollector()) {
    this.#document = document;
    this.#collector = collector;
  }

  /** Adds every server of the object at `path`, if there is one. The last of equal keys counts. */
  addMap(path: FieldPath, context: TranslationContext = {}): void {
    const node = path.length === 0 ? this.#document.root : findNodeAtLocation(this.#document.root, [...path]);
    if (node === undefined || node.type === 'null') return;
    if (node.type !== 'object')
      return this.#refuse(path, node, `expected an object of servers, found ${kindOf(node)}`);
    const servers = new Map(propertiesOf(node).map(({ key, valueNode }) => [key, valueNode]));
    for (const [name, valueNode] of servers) this.addServer(name, valueNode, [...path, name], context);
  }

  /** Adds the server at `node`, or a problem if it cannot be one. */
  addServer(original: string, node: Node, path: FieldPath, context: TranslationContext = {}): void {
    if (node.type !== 'object') return this.#refuse(path, node, `expected an object, found ${kindOf(node)}`);
    const client = this.#document.json.valueOf(node) as Readonly<Record<string, unknown>>;
    this.#collector.add(original, client, context, (field, message) =>
      documentProblem(
        this.#document,
        [...path, ...field],
        findNodeAtLocation(node, [...field]) ?? node,
        message,
      ),
    );
  }

  build(): ImportReading {
    return this.#collector.build();
  }

  #refuse(path: FieldPath, node: Node, message: string): void {
    this.#collector.refuse(documentProblem(this.#document, path, node, message));
  }
}

function kindOf({ type }: Node): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
