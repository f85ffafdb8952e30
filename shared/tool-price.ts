import { isJsonObject } from './json-object.ts';

/** Average characters of a tool definition per token, measured with the tokenizer o200k on reference servers. */
const CHARACTERS_PER_TOKEN = 4.7;

/**
 * Returns about how many tokens the definition of a tool costs in each request to a model. Clients send only the tool's name,
 * description and input schema. @param tool as in the result of `tools/list`
 */
export function tokensOf(tool: unknown): number {
  if (!isJsonObject(tool)) return 0;
  const { name, description, inputSchema } = tool;
  const sent = JSON.stringify({ name, description, input_schema: inputSchema });
  return Math.ceil(sent.length / CHARACTERS_PER_TOKEN);
}

const ON_DEMAND = ['claude-code', 'qwen-code', 'qwen-cli'];

/**
 * True if a program loads tool definitions on demand, so that hiding a tool saves it few tokens. @param program name that the
 * program reports, with or without its version
 */
export const loadsOnDemand = (program: string): boolean => ON_DEMAND.some((name) => program.startsWith(name));
