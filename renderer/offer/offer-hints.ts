import { showDirectionControls } from '../format/text-direction.ts';
import { isObject } from '../forms/schema-resolve.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Item as the server sent it. */
export type Raw = Readonly<Record<string, unknown>>;

const hintWords: readonly (readonly [field: string, words: string])[] = [
  ['readOnlyHint', 'read-only'],
  ['destructiveHint', 'destructive'],
  ['idempotentHint', 'idempotent'],
  ['openWorldHint', 'open world'],
];

/** Claims of a server about a tool. */
export function toolHints(tool: Raw): readonly string[] {
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {};
  return hintWords.filter(([field]) => ownValue(annotations, field) === true).map(([, words]) => words);
}

/** Whether a tool is said to change or delete data. */
export function isDestructive(tool: Raw): boolean {
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {};
  return annotations['destructiveHint'] === true && annotations['readOnlyHint'] !== true;
}

/** Type of a resource's content. */
export const mimeHints = (raw: Raw): readonly string[] => {
  const mimeType = readText(raw, 'mimeType');
  return mimeType === undefined ? [] : [showDirectionControls(mimeType)];
};

/** Text that is not empty, or undefined. */
export function readText(raw: Raw, field: string): string | undefined {
  const value = ownValue(raw, field);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
