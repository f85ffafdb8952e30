import { showDirectionControls } from '../format/text-direction.ts';
import { isObject } from '../forms/schema-resolve.ts';

/** An item as the server sent it. */
export type Raw = Readonly<Record<string, unknown>>;

const hintWords: readonly (readonly [field: string, words: string])[] = [
  ['readOnlyHint', 'read-only'],
  ['destructiveHint', 'destructive'],
  ['idempotentHint', 'idempotent'],
  ['openWorldHint', 'reaches out'],
];

/** What a server claims of a tool. */
export function toolHints(tool: Raw): readonly string[] {
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {};
  return hintWords.filter(([field]) => annotations[field] === true).map(([, words]) => words);
}

/** What a resource is written in. */
export const mimeHints = (raw: Raw): readonly string[] => {
  const mimeType = readText(raw, 'mimeType');
  return mimeType === undefined ? [] : [showDirectionControls(mimeType)];
};

/** Text with something in it, or undefined. */
export function readText(raw: Raw, field: string): string | undefined {
  const value = raw[field];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
