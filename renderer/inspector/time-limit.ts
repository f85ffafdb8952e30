import { numberBounds } from '../../shared/bounds.ts';

/** Limits of the setting, in ms. */
const { min, max } = numberBounds['calls.timeoutMs'];

/** Time limit of a call from a text in seconds. An empty text leaves it to the server's setting. */
export function readTimeLimit(text: string): { readonly timeoutMs?: number } | { readonly problem: string } {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  const seconds = /^(?:\d+|\d*[.,]\d+)$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
  const timeoutMs = Math.round(seconds * 1000);
  if (timeoutMs >= min && seconds * 1000 <= max) return { timeoutMs };
  return { problem: `Takes seconds, up to ${max / 1000} (a day).` };
}
