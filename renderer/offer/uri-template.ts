import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';

/** Variable of a template, and whether the address can do without it. */
export interface TemplateVariable {
  readonly name: string;
  readonly isOptional: boolean;
}

/**
 * Expressions that the SDK fills in as RFC 6570 requires: one name with any operator, and several in a query.
 * Others are left out because the SDK takes modifiers (`{x*}`, `{x:3}`) for parts of the name, and does not
 * encode several names outside a query.
 */
const known = /\{(?:[+#./]?[\w.%-]+|[?&][\w.%-]+(?:,[\w.%-]+)*)\}/g;

/** Variables of a template, or undefined for one with unknown expressions, which is filled in by hand. */
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

/** Address with its variables filled in; empty ones are left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return new UriTemplate(template).expand(Object.fromEntries(given));
}
