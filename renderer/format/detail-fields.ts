import { isJsonObject } from '../../shared/json-object.ts';
import { toPlainText } from './plain-text.ts';
import { ownValue } from '../../shared/own-value.ts';
import { withoutEdges } from '../../shared/text-edges.ts';

/**
 * Detail of an event, open-ended. Its readers return `undefined` for what is missing or of another type, and
 * never throw.
 */
export type Detail = Readonly<Record<string, unknown>>;

/** Fact about an event, in one line or a few. */
export interface EventFact {
  readonly term: string;
  readonly lines: readonly string[];
}

const LONGEST_EXCERPT = 160;

export function readText(detail: Detail, field: string): string | undefined {
  const value = ownValue(detail, field);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function readNumber(detail: Detail, field: string): number | undefined {
  const value = ownValue(detail, field);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function readRecord(detail: Detail, field: string): Detail | undefined {
  return toRecord(ownValue(detail, field));
}

export function readRecords(detail: Detail, field: string): readonly Detail[] {
  const value = ownValue(detail, field);
  return Array.isArray(value) ? value.map(toRecord).filter((item) => item !== undefined) : [];
}

/** Lines as they were written, without the empty ones around them. */
export function readRawText(detail: Detail, field: string): string | undefined {
  const lines = readList(detail, field).join('\n').split(/\r?\n/).map(toPlainText);
  const isSaid = (line: string) => line.trim() !== '';
  const text = lines.slice(lines.findIndex(isSaid), lines.findLastIndex(isSaid) + 1).join('\n');
  return text === '' ? undefined : text;
}

const toRecord = (value: unknown): Detail | undefined => (isJsonObject(value) ? value : undefined);

/** Entries of a list as words; a single string counts as a list of one. */
export function readList(detail: Detail, field: string): readonly string[] {
  const value = ownValue(detail, field);
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
}

/** Last line that is not empty, of a text or a list of lines, cut to one line's length. */
export function readLastLine(detail: Detail, field: string): string | undefined {
  const lines = readList(detail, field).flatMap((text) => text.split(/\r?\n/));
  const last = lines.map((line) => line.trim()).findLast((line) => line !== '');
  return last === undefined ? undefined : cutExcerpt(last);
}

/** Text in quotation marks, for words that a server wrote. */
export const quote = (text: string): string => `"${withoutEdges(text, '"')}"`;

export function cutExcerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_EXCERPT ? line : `${line.slice(0, LONGEST_EXCERPT - 1)}…`;
}
