import { applyEdits, modify } from 'jsonc-parser';
import { SETTINGS_VERSION, type SettingsPatch } from '../../../shared/settings.ts';
import { isJsonObject } from '../../../shared/json-object.ts';
import { detectLayout } from '../config/text-layout.ts';

/** Text from which the first write starts. */
export const EMPTY_SETTINGS = `{\n  "version": ${SETTINGS_VERSION}\n}\n`;

/** Returns the text with every value of `patch` set; the rest stays, comments and unknown keys included. `null` removes a key. */
export function editSettings(text: string, patch: SettingsPatch): string {
  const { indent, eol } = detectLayout(text);
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol };
  return leavesOf(patch).reduce(
    (edited, { path, value }) =>
      applyEdits(edited, modify(edited, path, value === null ? undefined : value, { formattingOptions })),
    text,
  );
}

interface Leaf {
  readonly path: string[];
  readonly value: unknown;
}

function leavesOf(value: unknown, path: string[] = []): readonly Leaf[] {
  if (!isJsonObject(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : leavesOf(item, [...path, key]),
  );
}
