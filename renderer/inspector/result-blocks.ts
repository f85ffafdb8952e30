import type { CallOutcome } from '../../shared/domain.ts';
import { isObject } from '../forms/schema-resolve.ts';
import { formatPlural } from '../format/figures.ts';
import { toPlainText } from '../format/plain-text.ts';
import { showDirectionControls } from '../format/text-direction.ts';
import { ownValue } from '../../shared/own-value.ts';

type Raw = Readonly<Record<string, unknown>>;

/** Part of a call's result in a form that can be displayed. An image includes its data. */
export type ResultBlock =
  | { readonly kind: 'text'; readonly label?: string; readonly text: string }
  | { readonly kind: 'json'; readonly label?: string; readonly value: unknown }
  | { readonly kind: 'image'; readonly label?: string; readonly source: string; readonly mimeType: string }
  | { readonly kind: 'note'; readonly label?: string; readonly words: string };

const pictures = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const base64 = /^[A-Za-z0-9+/\s]+={0,2}$/;

/** Returns the blocks of a result in their order. Unknown content is shown as JSON, so that nothing is lost. */
export function toBlocks(result: Raw): readonly ResultBlock[] {
  const blocks = [
    ...readList(result, 'content').map((item) => contentBlock(item)),
    ...readList(result, 'messages').map((message) =>
      contentBlock(message['content'], readText(message, 'role')),
    ),
    ...readList(result, 'contents').map((item) => resourceBlock(item)),
  ];
  const description = readText(result, 'description');
  if (description !== undefined) blocks.unshift({ kind: 'note', words: toText(description) });
  if (isObject(result['structuredContent']))
    blocks.push({ kind: 'json', label: 'Structured content', value: result['structuredContent'] });
  const hasKnownField = ['content', 'messages', 'contents'].some((field) =>
    Array.isArray(ownValue(result, field)),
  );
  if (blocks.length > 0 || hasKnownField) return blocks;
  return [{ kind: 'json', value: result }];
}

/** Returns the message about the part of a result that is left out because it would block the app window. */
export function leftOutWords({ characters, values, isAtLeast }: NonNullable<CallOutcome['leftOut']>): string {
  const lost = [
    ...(characters > 0 ? [formatPlural(characters, 'character')] : []),
    ...(values > 0 ? [formatPlural(values, 'value')] : []),
  ];
  const figures = lost.join(' and ');
  return `This is a part of the answer: ${isAtLeast ? 'more than ' : ''}${figures} of it are not shown, because it is too large.`;
}

/** Returns a whole result as JSON text, for display or copying. */
export const toJson = (value: unknown): string =>
  showDirectionControls(JSON.stringify(value, undefined, 2) ?? '');

function contentBlock(item: unknown, role?: string): ResultBlock {
  const label = role === undefined ? {} : { label: toText(role) };
  if (!isObject(item)) return { kind: 'json', ...label, value: item };
  switch (item['type']) {
    case 'text':
      return { kind: 'text', ...label, text: toText(readText(item, 'text') ?? '') };
    case 'image':
      return { ...dataBlock(readText(item, 'data') ?? '', readText(item, 'mimeType')), ...label };
    case 'audio':
      return { ...dataNote(readText(item, 'data') ?? '', readText(item, 'mimeType') ?? 'audio'), ...label };
    case 'resource':
      return { ...resourceBlock(isObject(item['resource']) ? item['resource'] : {}), ...label };
    case 'resource_link': {
      const words = [readText(item, 'title') ?? readText(item, 'name'), readText(item, 'uri')];
      return { kind: 'text', label: 'resource link', text: toText(words.filter(Boolean).join('\n')) };
    }
    default:
      return { kind: 'json', ...label, value: item };
  }
}

function resourceBlock(resource: Raw): ResultBlock {
  const label = toText(
    [readText(resource, 'uri'), readText(resource, 'mimeType')].filter(Boolean).join(' · '),
  );
  const text = readText(resource, 'text');
  if (text !== undefined) return { kind: 'text', label, text: toText(text) };
  const blob = readText(resource, 'blob');
  return blob === undefined
    ? { kind: 'json', value: resource }
    : { ...dataBlock(blob, readText(resource, 'mimeType')), label };
}

function dataBlock(data: string, mimeType = 'data of unknown kind'): ResultBlock {
  if (!pictures.test(mimeType) || !base64.test(data.trimEnd())) return dataNote(data, mimeType);
  return { kind: 'image', mimeType, source: `data:${mimeType};base64,${data.replace(/\s/g, '')}` };
}

function dataNote(data: string, mimeType: string): ResultBlock {
  if (data === '…') return { kind: 'note', words: `${toText(mimeType)}, too large to be shown.` };
  const bytes = Math.floor((data.replace(/[\s=]/g, '').length * 3) / 4);
  return {
    kind: 'note',
    words: `${toText(mimeType)}, ${bytes} bytes; the JSON of the result contains it.`,
  };
}

/**
 * Returns a text without terminal escape sequences, which some servers use to color text. Each line is cleaned separately,
 * because a carriage return overwrites only its own line.
 */
const toText = (text: string): string => text.split(/\r?\n/).map(toPlainText).join('\n');

function readList(raw: Raw, field: string): readonly Raw[] {
  const value = ownValue(raw, field);
  return Array.isArray(value)
    ? value.map((item: unknown) => (isObject(item) ? item : { type: 'odd', value: item }))
    : [];
}

function readText(raw: Raw, field: string): string | undefined {
  const value = ownValue(raw, field);
  return typeof value === 'string' ? value : undefined;
}
