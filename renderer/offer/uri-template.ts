import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';

/** A variable of a template, and whether the address stands without it. */
export interface TemplateVariable {
  readonly name: string;
  readonly isOptional: boolean;
}

/**
 * The expressions that the SDK fills in as RFC 6570 has it: one name, with any of its operators, and several in a query.
 * It takes modifiers (`{x*}`, `{x:3}`) for parts of the name, and several names outside a query it does not encode.
 */
const known = /\{(?:[+#./]?[\w.%-]+|[?&][\w.%-]+(?:,[\w.%-]+)*)\}/g;

/** The variables of a template, or undefined for one that is filled in by hand because it holds more than is known. */
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

/** The address with its variables filled in; what is empty is left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return new UriTemplate(template).expand(Object.fromEntries(given));
}
