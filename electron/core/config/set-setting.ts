import { applyEdits, modify, type JSONPath } from 'jsonc-parser';
import { detectLayout } from './text-layout.ts';

/**
 * Returns the text with one value of an entry set, such as `['panel', 'health', 'onStall']`; missing objects are created.
 * Everything else stays, comments included. The entry `name` must exist.
 */
export function setSetting(text: string, name: string, path: readonly string[], value: unknown): string {
  const { indent, eol } = detectLayout(text);
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol };
  const place: JSONPath = ['mcpServers', name, ...path];
  return applyEdits(text, modify(text, place, value, { formattingOptions }));
}
