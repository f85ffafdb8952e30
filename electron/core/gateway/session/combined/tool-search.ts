import type MiniSearch from 'minisearch';
import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import { tokensOf } from '../../../../../shared/tool-price.ts';
import type { CombinedItem } from './combined-lists.ts';

export const FIND_TOOLS = 'find_tools';
export const CALL_TOOL = 'call_tool';
const MAX_FOUND = 10;

/** The two tools that replace a list of tools that is too long for the client. */
export const searchTools: readonly JsonObject[] = [
  {
    name: FIND_TOOLS,
    title: 'Find tools',
    description:
      'Finds tools by what they do, over all servers. Returns name, description, input schema and annotations of each. ' +
      `Call what you find with ${CALL_TOOL}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words on what the tool is to do, such as "create issue".' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 50,
          description: `Maximum tools; ${MAX_FOUND} if absent.`,
        },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL_TOOL,
    title: 'Call a tool',
    description: `Calls a tool that ${FIND_TOOLS} has found, with arguments as its input schema says.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: `Name of the tool, as ${FIND_TOOLS} returns it.` },
        arguments: { type: 'object', description: 'Arguments of the tool.' },
      },
      required: ['name'],
    },
  },
];

export const tokensOfAll = (items: readonly CombinedItem[]): number =>
  items.reduce((sum, { value }) => sum + tokensOf(value), 0);

/** Index of tools, rebuilt when the tools have changed. */
export class ToolSearch {
  #items: readonly CombinedItem[] = [];
  #index: MiniSearch | undefined;

  /** Answers a call of `find_tools`. */
  async answer(items: readonly CombinedItem[], args: unknown): Promise<JsonObject> {
    const { query, limit } = isJsonObject(args) ? args : {};
    const max = typeof limit === 'number' && limit >= 1 ? Math.min(limit, 50) : MAX_FOUND;
    const index = await this.#indexOf(items);
    const found = index.search(typeof query === 'string' ? query : '').slice(0, max);
    const tools = found.map(({ id }) => {
      const { name, title, description, inputSchema, annotations } = items[id as number]!.value;
      return { name, title, description, inputSchema, annotations };
    });
    const text =
      tools.length > 0
        ? JSON.stringify({ tools })
        : `No tool was found. Other words may find one; there are ${items.length} tools.`;
    return { content: [{ type: 'text', text }] };
  }

  async #indexOf(items: readonly CombinedItem[]): Promise<MiniSearch> {
    const isSame =
      items.length === this.#items.length && items.every((item, at) => isEqual(item, this.#items[at]!));
    if (this.#index && isSame) return this.#index;
    const { default: Search } = await import('minisearch');
    const index = new Search({
      fields: ['words', 'title', 'description', 'parameters'],
      searchOptions: { boost: { words: 3, title: 2 }, prefix: true, fuzzy: 0.2 },
    });
    index.addAll(items.map(documentOf));
    this.#items = items;
    return (this.#index = index);
  }
}

const isEqual = (one: CombinedItem, other: CombinedItem): boolean =>
  one.combinedId === other.combinedId && one.value['description'] === other.value['description'];

function documentOf({ server, id: name, value }: CombinedItem, id: number): object {
  const { title, description, inputSchema } = value;
  const properties = isJsonObject(inputSchema) ? inputSchema['properties'] : undefined;
  // Splits names such as `createIssue` and `create_issue`, so that each of their words can be found.
  const words = `${server} ${name} ${name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[_.-]/g, ' ')}`;
  const parameters = isJsonObject(properties) ? Object.keys(properties).join(' ') : '';
  return { id, words, title, description, parameters };
}
