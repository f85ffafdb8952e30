import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { fixtureServer, waitUntil, referenceServer } from '../../../../fixtures/fixture-server.ts';
import type { ConnectedClient } from '../../../../fixtures/gateways/connect-client.ts';
import { panelOfTest } from '../../../panel/panel-of-test.ts';
import { connectTo } from '../../live-gateway.ts';

const EVERYTHING = referenceServer('everything', 'stdio');

async function open(servers: Record<string, object> = { all: EVERYTHING, 'odd.name': fixtureServer() }) {
  const { panel } = await panelOfTest(servers);
  panel.start();
  const isUp = () =>
    panel.gateway.status().isListening &&
    panel.getSnapshot().servers.every(({ state }) => state.kind === 'running');
  await waitUntil(isUp, { deadlineMs: 20_000, describe: 'all servers run' });
  return panel;
}

type Panel = Awaited<ReturnType<typeof open>>;

async function connect(panel: Panel, path = '/mcp', servers?: string[]) {
  const name = `client ${panel.gateway.listClients().length + 1}`;
  const { id, token } = await panel.gateway.createClient({ name, ...(servers && { servers }) });
  const { client } = await connectTo({ url: panel.gateway.status().url + path, token });
  return { id, client };
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;
const namesOf = async ({ client }: { client: ConnectedClient['client'] }) =>
  (await client.listTools()).tools.map(({ name }) => name);

/** The panel reads the lists of a server one after the other, and tells clients of each. */
const whenListed = (client: ConnectedClient['client']) =>
  waitUntil(
    async () =>
      (await client.listResources()).resources.length > 0 &&
      (await client.listResourceTemplates()).resourceTemplates.length > 0 &&
      (await client.listPrompts()).prompts.length > 0,
    { deadlineMs: 10_000, describe: 'all lists are read' },
  );

describe('one endpoint for all servers', () => {
  it('lists tools, prompts, resources and templates of all under names of their own, sorted, and uses them', async () => {
    const panel = await open();
    const { client } = await connect(panel);
    const names = await namesOf({ client });
    expect(names).toEqual(names.toSorted());
    expect(names).toContain('all__echo');
    expect(panel.gateway.listClients()[0]?.sessions).toMatchObject([{ server: '*', count: 1 }]);
    const odd = names.find((name) => /^odd_name__echo_[0-9a-f]{12}$/.test(name));
    expect(textOf(await client.callTool({ name: 'all__echo', arguments: { message: 'hi' } }))).toContain(
      'hi',
    );
    expect(textOf(await client.callTool({ name: odd!, arguments: { text: 'ho' } }))).toContain('ho');

    await whenListed(client);
    const { prompts } = await client.listPrompts();
    const prompt = prompts.find(({ name }) => name.startsWith('all__simple'))!;
    expect((await client.getPrompt({ name: prompt.name })).messages).not.toEqual([]);

    const { resources } = await client.listResources();
    const own = resources.find(({ uri }) => uri.startsWith('all+'))!;
    expect((await client.readResource({ uri: own.uri })).contents).not.toEqual([]);
    // A link in an answer of a tool has the server's own address.
    expect((await client.readResource({ uri: own.uri.slice('all+'.length) })).contents).not.toEqual([]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.every(({ uriTemplate }) => uriTemplate.startsWith('all+'))).toBe(true);
  });

  it('says why a tool is missing, and refuses what is not there', async () => {
    const panel = await open();
    const { client } = await connect(panel, '/mcp', ['all']);
    expect((await namesOf({ client })).every((name) => name.startsWith('all__'))).toBe(true);
    expect(await client.callTool({ name: 'all__nothing' })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'gone__echo' })).rejects.toThrow('There is no server "gone"');
    const { client: other } = await connect(panel, '/mcp', ['odd.name']);
    await expect(other.callTool({ name: 'all__echo' })).rejects.toThrow('may not use "all"');
    await expect(other.getPrompt({ name: 'x' })).rejects.toThrow('Unknown prompt: x');
    await expect(other.readResource({ uri: 'all+test://static' })).rejects.toThrow('Resource not found');
  });

  it('keeps the tools of a server that is down, and starts it at a call where a person did not stop it', async () => {
    const panel = await open({ one: fixtureServer() });
    const { client } = await connect(panel);
    await waitUntil(async () => (await namesOf({ client })).length > 0, {
      deadlineMs: 5000,
      describe: 'tools',
    });
    await panel.servers.stop('one');
    expect(await namesOf({ client })).toContain('one__echo');
    await expect(client.callTool({ name: 'one__echo', arguments: { text: 'x' } })).rejects.toThrow('stopped');
    await panel.servers.start('one');
    expect(textOf(await client.callTool({ name: 'one__echo', arguments: { text: 'x' } }))).toContain('x');
  });

  it('tells clients of other tools: of switches, and of updates of a resource', async () => {
    const panel = await open({ all: EVERYTHING });
    const { id, client } = await connect(panel);
    let changes = 0;
    const updated: string[] = [];
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void updated.push(params.uri),
    );
    const before = await namesOf({ client });
    await panel.gateway.setTools({ client: id, server: 'all', hidden: ['echo'] });
    await waitUntil(() => changes > 0, { deadlineMs: 5000, describe: 'the change is told' });
    expect(await namesOf({ client })).toEqual(before.filter((name) => name !== 'all__echo'));
    await expect(client.callTool({ name: 'all__echo', arguments: { message: 'x' } })).rejects.toThrow(
      '"echo" is hidden from this client',
    );
    await whenListed(client);
    const { resources } = await client.listResources();
    await client.subscribeResource({ uri: resources[0]!.uri });
    await client.callTool({ name: 'all__toggle-subscriber-updates', arguments: {} });
    await waitUntil(() => updated.length > 0, { deadlineMs: 15_000, describe: 'an update' });
    expect(updated).toContain(resources[0]!.uri);
  });

  it('lists two tools that find and call the others beyond a number of tokens', async () => {
    const panel = await open();
    await panel.settings.update({ gateway: { searchAboveTokens: 200 } });
    const { client } = await connect(panel);
    expect(await namesOf({ client })).toEqual(['find_tools', 'call_tool']);
    const found: unknown = JSON.parse(
      textOf(await client.callTool({ name: 'find_tools', arguments: { query: 'echo message' } }))!,
    );
    const { tools } = found as { tools: { name: string; inputSchema: object }[] };
    expect(tools.find(({ name }) => name === 'all__echo')?.inputSchema).toMatchObject({ type: 'object' });
    const args = { name: 'all__echo', arguments: { message: 'found' } };
    expect(textOf(await client.callTool({ name: 'call_tool', arguments: args }))).toContain('found');
  });
});

describe('a set', () => {
  it('has an address of its own, with its servers and the tools that were chosen', async () => {
    const panel = await open();
    await panel.gateway.putSet({ name: 'daily', servers: ['all'], tools: { all: ['echo'] } });
    expect(panel.gateway.sets()).toMatchObject([{ name: 'daily', servers: ['all'] }]);
    const { client } = await connect(panel, '/sets/daily/mcp');
    expect(await namesOf({ client })).toEqual(['all__echo']);
    await expect(client.callTool({ name: 'all__get-sum', arguments: {} })).rejects.toThrow(
      'is not in this set',
    );
    await panel.gateway.putSet({ name: 'daily', servers: [] });
    expect(await namesOf({ client })).toEqual([]);
    await expect(connect(panel, '/sets/none/mcp')).rejects.toThrow();
  });
});

describe('switches on the endpoint of one server', () => {
  it('hide a tool from one client alone, while the server runs and while it is down', async () => {
    const panel = await open({ one: fixtureServer() });
    const [one, other] = [await connect(panel, '/servers/one/mcp'), await connect(panel, '/servers/one/mcp')];
    await panel.gateway.setTools({ client: one.id, server: 'one', hidden: ['echo'] });
    expect(await namesOf(one)).not.toContain('echo');
    expect(await namesOf(other)).toContain('echo');
    await expect(one.client.callTool({ name: 'echo', arguments: { text: 'x' } })).rejects.toThrow('hidden');
    await panel.servers.stop('one');
    expect(await namesOf(one)).not.toContain('echo');
    const [tools] = await panel.gateway.clientTools(one.id);
    expect(tools?.tools.find(({ name }) => name === 'echo')).toMatchObject({ isHidden: true });
    expect(tools?.tools.every(({ tokens }) => tokens > 0)).toBe(true);
  });
});
