import { isJsonObject } from './json-object.ts';

/** Characters of a definition for each token, as measured with the tokenizer o200k over reference servers. */
const CHARACTERS_PER_TOKEN = 4.7;

/**
 * Tokens that the definition of a tool costs in each request to a model, about: clients send its name, description and input
 * schema, and nothing else of it. @param tool as in the result of `tools/list`
 */
export function tokensOf(tool: unknown): number {
  if (!isJsonObject(tool)) return 0;
  const { name, description, inputSchema } = tool;
  const sent = JSON.stringify({ name, description, input_schema: inputSchema });
  return Math.ceil(sent.length / CHARACTERS_PER_TOKEN);
}

const ON_DEMAND = ['claude-code', 'qwen-code', 'qwen-cli'];

/**
 * Whether a program loads tool definitions on demand, so that a hidden tool saves it little. @param program by the name that it
 * reports, with or without its version
 */
export const loadsOnDemand = (program: string): boolean => ON_DEMAND.some((name) => program.startsWith(name));
