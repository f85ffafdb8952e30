import { parse } from 'jsonc-parser';

/** The entry `name` as it stands in the text of servers.json, unknown keys included; undefined when there is none. */
export function readEntry(text: string, name: string): Record<string, unknown> | undefined {
  const content = parse(text, [], { allowTrailingComma: true }) as
    { mcpServers?: Record<string, unknown> } | undefined;
  const servers = content?.mcpServers;
  const entry = servers && Object.hasOwn(servers, name) ? servers[name] : undefined;
  return typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : undefined;
}
