import type { Node } from 'jsonc-parser';
import { parseJsonDocument, propertiesOf } from './json-nodes.ts';

/** Returns the entry `name` from the text of servers.json, unknown keys included; undefined when there is none. */
export function readEntry(text: string, name: string): Record<string, unknown> | undefined {
  const document = parseJsonDocument(text);
  const servers = document.root && memberOf(document.root, 'mcpServers');
  const node = servers && memberOf(servers, name);
  return node?.type === 'object' ? (document.valueOf(node) as Record<string, unknown>) : undefined;
}

/** Finds a member; the last of equal keys counts, as in JSON.parse. */
function memberOf(node: Node, key: string): Node | undefined {
  return node.type === 'object'
    ? propertiesOf(node).findLast((property) => property.key === key)?.valueNode
    : undefined;
}
