import { isJsonObject } from '../../../../shared/json-object.ts';
import { isProblem, openDocument, valueAt } from './client-document.ts';
import { inAppFolder } from './client-paths.ts';
import type { AskHint, AskHints } from './entry-asks.ts';
import type { ImportReading, ImportStrategy } from './import-strategy.ts';
import { ReadingBuilder } from './server-map.ts';

const EDITIONS = ['Code', 'Code - Insiders', 'VSCodium'];
/** Paths of both objects: at the top in mcp.json; below `mcp` in settings.json of older versions. */
const PLACES: readonly (readonly string[])[] = [[], ['mcp']];

/** VS Code: `servers` and `inputs`, in the user's mcp.json or in settings.json. */
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
  for (const place of PLACES)
    reading.addMap([...place, 'servers'], { hints: inputHints(valueAt(document, [...place, 'inputs'])) });
  return reading.build();
}

/** Returns hints from the editor's list of inputs. */
export function inputHints(inputs: unknown): AskHints {
  const list = Array.isArray(inputs) ? (inputs as unknown[]) : [];
  return new Map(
    list.flatMap((input): [string, AskHint][] => {
      if (!isJsonObject(input) || typeof input['id'] !== 'string') return [];
      const { id, description, password, default: suggestion } = input;
      const hint = { description: textOf(description), suggestion: textOf(suggestion) };
      return [[`\${input:${id}}`, password === true ? { ...hint, isSecret: true } : hint]];
    }),
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
