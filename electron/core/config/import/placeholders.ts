import type { AskHints } from './entry-asks.ts';

/** A `${…}` in an entry, which the entry's client would fill in and the panel does not. */
export interface Placeholder {
  /** Path below the entry: `env.TOKEN`, `args.2`. */
  readonly path: string;
  readonly text: string;
  /** `input`, `env`, `workspaceFolder`, … */
  readonly kind: string;
}

const PLACEHOLDER = /\$\{([^${}]+)\}/g;

/** Finds every placeholder in the texts within `value`. */
export function findPlaceholders(value: unknown, path: readonly string[] = []): readonly Placeholder[] {
  if (typeof value === 'string') return placeholdersIn(value, path.join('.'));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => findPlaceholders(item, [...path, key]));
}

/** Describes what the user must do about a placeholder. `hints` describe what its client would ask for. */
export function describePlaceholder({ path, text, kind }: Placeholder, hints: AskHints): string {
  if (kind !== 'input') return `${path} holds ${text}, which is not filled in here: write the value itself`;
  const description = hints.get(text)?.description;
  const meaning = description === undefined ? '' : ` (${description})`;
  return `${path} holds ${text}${meaning}, which its client asks for: write the value itself`;
}

function placeholdersIn(text: string, path: string): readonly Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map(([whole, inner = '']) => {
    const colon = inner.indexOf(':');
    const kind = colon === -1 ? inner : inner.slice(0, colon);
    return { path, text: whole, kind };
  });
}
