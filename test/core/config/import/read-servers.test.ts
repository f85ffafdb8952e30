import type { Node } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { isProblem, openDocument } from '../../../../electron/core/config/import/client-document.ts';
import { EntryCollector } from '../../../../electron/core/config/import/entry-collector.ts';
import { readServers } from '../../../../electron/core/config/import/pasted/read-servers.ts';

const nodesIn = (node: Node): number => (node.children ?? []).reduce((sum, child) => sum + nodesIn(child), 1);

/** Names of the servers of a text, and how many nodes of it were read as values. */
function read(value: unknown) {
  const document = openDocument(JSON.stringify(value));
  if (isProblem(document)) throw new Error(document.message);
  let nodesRead = 0;
  const valueOf = (node: Node) => {
    nodesRead += nodesIn(node);
    return document.json.valueOf(node);
  };
  const collector = new EntryCollector();
  readServers({ ...document, json: { ...document.json, valueOf } }, collector);
  return { names: collector.build().entries.map(({ name }) => name), nodesRead };
}

it('reads the servers alone of a file that is full of other things', () => {
  const mcpServers = { stock: { command: 'node' } };
  const { names, nodesRead } = read({ mcpServers });
  expect(names).toEqual(['stock']);
  const history = Array.from({ length: 5000 }, (_, index) => ({ display: `call ${index}` }));
  expect(read({ mcpServers, history })).toEqual({ names, nodesRead });
});

it('reads a description of a server as a whole', () => {
  const remotes = [{ type: 'streamable-http', url: 'https://mcp.stock.example/mcp' }];
  for (const value of [
    { name: 'stock', remotes },
    { name: 'x', server: { name: 'stock', remotes } },
  ])
    expect(read(value).names).toEqual(['stock']);
});
