import { isProblem, objectAt, openDocument, valueAt, type ClientDocument } from './client-document.ts';
import { inAppFolder } from './client-paths.ts';
import type { ImportReading, ImportStrategy } from './import-strategy.ts';
import { ReadingBuilder } from './server-map.ts';

const EDITIONS = ['Code', 'Code - Insiders', 'VSCodium'];
/** mcp.json has both objects at its top; settings.json, of older versions, below `mcp`. */
const PLACES: readonly (readonly string[])[] = [[], ['mcp']];

/** VS Code: `servers` and `inputs`, in the person's mcp.json or in settings.json. */
export const vsCode: ImportStrategy = {
  id: 'vs-code',
  label: 'VS Code',
  paths: (env) =>
    EDITIONS.flatMap((edition) =>
      ['mcp.json', 'settings.json'].map((file) => inAppFolder(env, edition, 'User', file)),
    ),
  parse,
};

function parse(text: string): ImportReading {
  const document = openDocument(text);
  if (isProblem(document)) return { entries: [], problems: [document] };
  const reading = new ReadingBuilder(document);
  for (const place of PLACES) reading.addMap([...place, 'servers'], { inputs: inputsOf(document, place) });
  return reading.build();
}

/** What the editor asks for, by id. */
export function inputsOf(document: ClientDocument, place: readonly string[]): ReadonlyMap<string, string> {
  if (objectAt(document, place) === undefined) return new Map();
  const inputs = valueAt(document, [...place, 'inputs']);
  const pairs = (Array.isArray(inputs) ? (inputs as unknown[]) : []).flatMap((input) => {
    const { id, description } = (input ?? {}) as { id?: unknown; description?: unknown };
    return typeof id === 'string' && typeof description === 'string' ? [[id, description] as const] : [];
  });
  return new Map(pairs);
}
