import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';

/** Variable of a template, and whether the URI is valid without it. */
export interface TemplateVariable {
  readonly name: string;
  readonly isOptional: boolean;
}

/**
 * Expressions that the SDK expands according to RFC 6570: one name with any operator, and several in a query. Others
 * are excluded, because the SDK reads modifiers (`{x*}`, `{x:3}`) as part of the name, and does not encode several
 * names outside a query.
 */
const known = /\{(?:[+#./]?[\w.%-]+|[?&][\w.%-]+(?:,[\w.%-]+)*)\}/g;

/** Variables of a template; undefined if it has other expressions, so that the user fills it in by hand. */
export function variablesOf(template: string): readonly TemplateVariable[] | undefined {
  if (/[{}]/.test(template.replace(known, ''))) return undefined;
  const optional = new Map<string, boolean>();
  for (const [expression] of template.matchAll(known)) {
    const isQuery = expression.startsWith('{?') || expression.startsWith('{&');
    for (const name of new UriTemplate(expression).variableNames)
      optional.set(name, isQuery && optional.get(name) !== false);
  }
  return [...optional].map(([name, isOptional]) => ({ name, isOptional }));
}

/** URI with its variables filled in; empty ones are left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return new UriTemplate(template).expand(Object.fromEntries(given));
}
