import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { ServerEntry } from '../../../../shared/server-config.ts';
import { checkEntry } from '../entry-problem.ts';
import { propertiesOf } from '../json-nodes.ts';
import { problemOf, type ClientDocument } from './client-document.ts';
import type { ImportedEntry, ImportProblem, ImportReading } from './import-strategy.ts';
import { ServerNames } from './server-names.ts';
import { translateEntry, type TranslationContext } from './translate-entry.ts';

type Path = readonly (string | number)[];

/** One text's servers, put together from as many places as its client has. */
export class ReadingBuilder {
  readonly #document: ClientDocument;
  readonly #names = new ServerNames();
  readonly #entries: ImportedEntry[] = [];
  readonly #problems: ImportProblem[] = [];

  constructor(document: ClientDocument) {
    this.#document = document;
  }

  /** Adds every server of the object at `path`; nothing where there is none. Of equal keys the last one counts. */
  addMap(path: Path, context: TranslationContext = {}): void {
    const node = path.length === 0 ? this.#document.root : findNodeAtLocation(this.#document.root, [...path]);
    if (node === undefined || node.type === 'null') return;
    if (node.type !== 'object')
      return this.#refuse(path, node, `expected an object of servers, found ${kindOf(node)}`);
    const servers = new Map(propertiesOf(node).map(({ key, valueNode }) => [key, valueNode]));
    for (const [name, valueNode] of servers) this.addServer(name, valueNode, [...path, name], context);
  }

  /** Adds the server at `node`, or says why it cannot be one. */
  addServer(original: string, node: Node, path: Path, context: TranslationContext = {}): void {
    if (node.type !== 'object') return this.#refuse(path, node, `expected an object, found ${kindOf(node)}`);
    const client = this.#document.json.valueOf(node) as Readonly<Record<string, unknown>>;
    const { entry, remarks } = translateEntry(client, original, context);
    const checked = checkEntry(entry);
    if (checked.ok) return this.#take(original, entry, remarks);
    const [issue] = checked.issues;
    const place = findNodeAtLocation(node, [...issue.path]) ?? node;
    this.#refuse(
      [...path, ...issue.path],
      place,
      [issue.statement.replace(/^[: ]+/, ''), ...remarks].join('; '),
    );
  }

  build(): ImportReading {
    return { entries: this.#entries, problems: this.#problems };
  }

  #take(original: string, entry: ServerEntry, remarks: readonly string[]): void {
    const { name, isKnown } = this.#names.nameFor(original, entry);
    if (isKnown) return;
    this.#entries.push({
      name,
      ...(name !== original && { originalName: original }),
      entry,
      ...(remarks.length > 0 && { problem: remarks.join('; ') }),
    });
  }

  #refuse(path: Path, node: Node, message: string): void {
    this.#problems.push(problemOf(this.#document, path, node, message));
  }
}

function kindOf({ type }: Node): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
