import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { openLiveGateway } from './live-gateway.ts';

it('a client that asks for the era of 2026 first falls back to the one that the gateway speaks', async () => {
  const gateway = await openLiveGateway(() => fixtureServer());
  const { url, token } = await gateway.endpoint();
  const client = new Client({ name: 'modern', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const { content } = await client.callTool({ name: 'echo', arguments: { text: 'across the eras' } });
  expect(content).toEqual([{ type: 'text', text: 'across the eras' }]);
  expect(client.getServerVersion()?.name).toBe('fixture');
});
