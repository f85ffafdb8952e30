/** `{name}` and `{+name}`; the other operators of RFC 6570 are rare, and are filled in by hand. */
const simple = /\{(\+?)([\w.]+)\}/g;

/** The names in a template, or undefined for one that holds more than plain names. */
export function variablesOf(template: string): readonly string[] | undefined {
  if (/[{}]/.test(template.replace(simple, ''))) return undefined;
  return [...new Set([...template.matchAll(simple)].map((match) => match[2] ?? ''))];
}

/** The address with its names filled in. */
export function expandTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(simple, (_, plus: string, name: string) => {
    const value = values[name];
    const text = typeof value === 'string' ? value : '';
    return plus === '' ? encodeURIComponent(text) : encodeURI(text);
  });
}
