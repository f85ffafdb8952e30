import { fileURLToPath } from 'node:url';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import type { ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import { connectTo, openLiveGateway, SERVER, type LiveGateway } from './live-gateway.ts';

const PROGRAM = fileURLToPath(new URL('../../fixtures/conformance/stdio.ts', import.meta.url));

let gateway: LiveGateway;
beforeEach(async () => {
  gateway = await openLiveGateway(() => ({ command: process.execPath, args: [PROGRAM] }));
});

const connect = async (capabilities: object) => connectTo(await gateway.endpoint(), { capabilities });

const textOf = ({ content }: CallToolResult) => (content[0]?.type === 'text' ? content[0].text : undefined);
const call = async ({ client }: ConnectedClient, name: string, args: Record<string, string>) =>
  (await client.callTool({ name, arguments: args })) as CallToolResult;

describe('what a server asks during a call', () => {
  it('reaches the model of the client that called, and no other; a client that comes after it has a process', async () => {
    const second = await connect({ sampling: {} });
    const asked: string[] = [];
    const answerAs = (name: string, { client }: ConnectedClient) =>
      client.setRequestHandler(CreateMessageRequestSchema, () => {
        asked.push(name);
        return { role: 'assistant', model: 'none', content: { type: 'text', text: `from ${name}` } };
      });
    answerAs('second', second);
    expect(textOf(await call(second, 'test_sampling', { prompt: 'any' }))).toContain('from second');
    const first = await connect({ sampling: {} });
    answerAs('first', first);
    expect(textOf(await call(first, 'test_sampling', { prompt: 'any' }))).toContain('from first');
    expect(asked).toEqual(['second', 'first']);
    const { sharing, sessions } = gateway.panel.sessions.view(SERVER);
    expect(sharing).toMatchObject({ mode: 'exclusive', reason: 'learnt', asksClients: true });
    expect(sessions.map(({ instance }) => instance)).toEqual([SERVER, `${SERVER}#2`]);
  });

  it('reaches the person at the client that called, beside one that cannot be asked', async () => {
    const [asked, plain] = [await connect({ elicitation: {} }), await connect({})];
    asked.client.setRequestHandler(ElicitRequestSchema, () => ({
      action: 'accept',
      content: { username: 'ada', email: 'ada@example.com' },
    }));
    const answer = textOf(await call(asked, 'test_elicitation', { message: 'Who?' }));
    expect(answer).toContain('action=accept');
    expect(answer).toContain('ada@example.com');
    await expect(call(plain, 'test_elicitation', { message: 'Who?' })).rejects.toThrow();
  });

  it('is an event where the client that called cannot be asked', async () => {
    const plain = await connect({});
    await expect(call(plain, 'test_elicitation', { message: 'Who?' })).rejects.toThrow();
    const refused = () => gateway.panel.getSnapshot().events.find(({ kind }) => kind === 'ask-refused');
    const limit = { deadlineMs: 10_000, describe: 'the event' };
    await waitUntil(() => refused() !== undefined, limit);
    expect(refused()).toMatchObject({
      server: SERVER,
      detail: { method: 'elicitation/create', reason: 'undeclared', count: 1, client: 'client 1' },
    });
  });
});
