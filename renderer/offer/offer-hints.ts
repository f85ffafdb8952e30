import { showDirectionControls } from '../format/text-direction.ts';
import { isObject } from '../forms/schema-resolve.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Tool, prompt or resource as the server sent it. */
export type Raw = Readonly<Record<string, unknown>>;

const hintWords: readonly (readonly [field: string, words: string])[] = [
  ['readOnlyHint', 'read-only'],
  ['destructiveHint', 'destructive'],
  ['idempotentHint', 'idempotent'],
  ['openWorldHint', 'open world'],
];

/** Hints of a server about a tool, from its annotations. */
export function toolHints(tool: Raw): readonly string[] {
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {};
  return hintWords.filter(([field]) => ownValue(annotations, field) === true).map(([, words]) => words);
}

/** Whether the annotations say that a tool may change or delete data. */
export function isDestructive(tool: Raw): boolean {
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {};
  return annotations['destructiveHint'] === true && annotations['readOnlyHint'] !== true;
}

/** Hint with the MIME type of a resource. */
export const mimeHints = (raw: Raw): readonly string[] => {
  const mimeType = readText(raw, 'mimeType');
  return mimeType === undefined ? [] : [showDirectionControls(mimeType)];
};

/** Text of a field; undefined if it is empty or no text. */
export function readText(raw: Raw, field: string): string | undefined {
  const value = ownValue(raw, field);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
