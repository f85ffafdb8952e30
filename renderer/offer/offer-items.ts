import type { Offer, OfferInTexts } from '../../shared/domain.ts';
import { cutText } from '../../shared/cut-text.ts';
import type { ServerCall } from '../../shared/ipc-contract.ts';
import type { FormField, TextInput } from '../forms/form-field.ts';
import { showDirectionControls } from '../format/text-direction.ts';
import { toForm } from '../forms/schema-form.ts';
import { isObject } from '../forms/schema-resolve.ts';
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { ownValue } from '../../shared/own-value.ts';

/** Maximum characters of a name or description in the list, which may have thousands of items. A call sends the whole name. */
const SHOWN_NAME_LENGTH = 300;
const SHOWN_DESCRIPTION_LENGTH = 16 * 1024;

export type ItemKind = 'tool' | 'prompt' | 'resource' | 'template';

/** Tool, prompt, resource or resource template of a server, with the form for its arguments. */
export interface OfferItem {
  /** Key, unique within a server: "tool echo". */
  readonly key: string;
  readonly kind: ItemKind;
  /** Name shown to the user; `toCall` contains the name that is sent. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Hints from the server, such as "read-only" or "text/plain". They are not verified. */
  readonly hints: readonly string[];
  /** True if a call may change or delete data, so that it needs a confirmation. */
  readonly isDestructive?: boolean;
  /** Returns the JSON Schema of the arguments; absent for items other than tools. */
  readonly schemaOf?: () => unknown;
  readonly form: FormField;
  readonly toCall: (value: unknown) => Pick<ServerCall, 'method' | 'params'>;
}

/** Maximum milliseconds for which items are read without a pause, so that the page stays responsive. */
const TURN_MS = 8;

/** Parses the JSON texts of a server's tools, prompts and resources. Pauses between them, so that the page is not blocked. */
export async function readItems({ texts }: Pick<OfferInTexts, 'texts'>): Promise<readonly OfferItem[]> {
  // Of several items with the same name, only the last is kept, because a server resolves the name to one of them only.
  const items = new Map<string, OfferItem>();
  let pausedAt = performance.now();
  for (const text of texts) {
    if (performance.now() - pausedAt > TURN_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      pausedAt = performance.now();
    }
    for (const item of toItems(JSON.parse(text) as Partial<Offer>)) items.set(item.key, item);
  }
  return [...items.values()];
}

export const toItems = ({
  tools = [],
  prompts = [],
  resources = [],
  resourceTemplates = [],
}: Partial<Offer>): readonly OfferItem[] => [
  ...tools.map(toolItem),
  ...prompts.map(promptItem),
  ...resources.map(resourceItem),
  ...resourceTemplates.map(templateItem),
];

function toolItem(tool: Raw & { readonly name: string }): OfferItem {
  const { name } = tool;
  let form: FormField | undefined;
  return {
    ...described('tool', name, tool),
    // The form is created on demand, because a server may have thousands of items.
    get form() {
      return (form ??= toForm(tool['inputSchema'] ?? { type: 'object' }));
    },
    hints: toolHints(tool),
    isDestructive: isDestructive(tool),
    schemaOf: () => tool['inputSchema'],
    toCall: (value) => ({ method: 'tools/call', params: { name, arguments: value ?? {} } }),
  };
}

function promptItem(prompt: Raw & { readonly name: string }): OfferItem {
  const { name } = prompt;
  const given = Array.isArray(prompt['arguments']) ? prompt['arguments'].filter(isObject) : [];
  const fields = given.map((argument) =>
    textField(
      readText(argument, 'name') ?? '',
      argument['required'] === true,
      readText(argument, 'description'),
    ),
  );
  return {
    ...described('prompt', name, prompt),
    form: objectOf(fields.filter(({ key }) => key !== '')),
    hints: [],
    toCall: (value) => ({ method: 'prompts/get', params: { name, arguments: value ?? {} } }),
  };
}

function resourceItem(resource: Raw & { readonly uri: string }): OfferItem {
  const { uri } = resource;
  return {
    ...described('resource', uri, resource),
    form: objectOf([]),
    hints: mimeHints(resource),
    toCall: () => ({ method: 'resources/read', params: { uri } }),
  };
}

function templateItem(template: Raw & { readonly uriTemplate: string }): OfferItem {
  const { uriTemplate } = template;
  const variables = variablesOf(uriTemplate);
  const fields = variables?.map(({ name, isOptional }) => textField(name, !isOptional)) ?? [
    {
      ...textField('uri', true, 'The whole address; this template is too complex to be filled in for you.'),
      initial: uriTemplate,
    },
  ];
  return {
    ...described('template', uriTemplate, template),
    form: objectOf(fields),
    hints: mimeHints(template),
    toCall: (value) => {
      const given = isObject(value) ? value : {};
      const uri = variables === undefined ? String(given['uri']) : expandTemplate(uriTemplate, given);
      return { method: 'resources/read', params: { uri } };
    },
  };
}

function described(
  kind: ItemKind,
  name: string,
  raw: Raw,
): Pick<OfferItem, 'key' | 'kind' | 'name' | 'title' | 'description'> {
  const annotations = isObject(raw['annotations']) ? raw['annotations'] : {};
  const isNamed = kind === 'resource' || kind === 'template';
  const title =
    readText(raw, 'title') ?? readText(annotations, 'title') ?? (isNamed ? readText(raw, 'name') : undefined);
  const description = readText(raw, 'description');
  return {
    key: `${kind} ${name}`,
    kind,
    name: shortName(name),
    ...(title !== undefined && bare(title) !== bare(name) && { title: shortName(title) }),
    ...(description !== undefined && {
      description: cutText(description, SHOWN_DESCRIPTION_LENGTH, 'end').text,
    }),
  };
}

const shortName = (name: string): string =>
  showDirectionControls(cutText(name, SHOWN_NAME_LENGTH, 'end').text);

/** Returns a name in lower case without separators, to detect titles that only repeat it: "Get file info", "get_file_info". */
const bare = (name: string): string => name.toLowerCase().replace(/[\s_.-]/g, '');

const textField = (key: string, isRequired: boolean, description?: string): TextInput => ({
  kind: 'text',
  key,
  label: showDirectionControls(key),
  isRequired,
  isNullable: false,
  ...(description !== undefined && { description }),
});

const objectOf = (fields: readonly FormField[]): FormField => ({
  kind: 'object',
  key: '',
  label: '',
  isRequired: true,
  isNullable: false,
  fields,
});

/** Variable of a resource template's URI, and whether the URI is valid without it. */
interface TemplateVariable {
  readonly name: string;
  readonly isOptional: boolean;
}

/**
 * Matches the expressions that the MCP SDK expands as RFC 6570 requires: one name with any operator, or several names in a
 * query. All others do not match, because the SDK reads modifiers (`{x*}`, `{x:3}`) as part of the name, and does not encode
 * several names outside a query.
 */
const known = /\{(?:[+#./]?[\w.%-]+|[?&][\w.%-]+(?:,[\w.%-]+)*)\}/g;

/** Returns a URI template's variables; undefined if the SDK cannot expand it, so that the user must enter the whole URI. */
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

/** Returns the URI with its variables filled in; empty variables are left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return new UriTemplate(template).expand(Object.fromEntries(given));
}

/** Tool, prompt or resource as the server sent it. */
type Raw = Readonly<Record<string, unknown>>;

const hintWords: readonly (readonly [field: string, words: string])[] = [
  ['readOnlyHint', 'read-only'],
  ['destructiveHint', 'destructive'],
  ['idempotentHint', 'idempotent'],
  ['openWorldHint', 'open world'],
];

/** Returns the server's hints about a tool, taken from its annotations. */
function toolHints(tool: Raw): readonly string[] {
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {};
  return hintWords.filter(([field]) => ownValue(annotations, field) === true).map(([, words]) => words);
}

/** True if the annotations say that a tool may change or delete data. */
function isDestructive(tool: Raw): boolean {
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {};
  return annotations['destructiveHint'] === true && annotations['readOnlyHint'] !== true;
}

/** Returns the MIME type of a resource as its only hint; empty if it has none. */
const mimeHints = (raw: Raw): readonly string[] => {
  const mimeType = readText(raw, 'mimeType');
  return mimeType === undefined ? [] : [showDirectionControls(mimeType)];
};

/** Returns the text of a field; undefined if it is empty or not text. */
function readText(raw: Raw, field: string): string | undefined {
  const value = ownValue(raw, field);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
