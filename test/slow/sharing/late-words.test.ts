import { fileURLToPath } from 'node:url';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { connectTo, openLiveGateway, SERVER } from '../../core/gateway/live-gateway.ts';

const PROGRAM = fileURLToPath(new URL('../../fixtures/servers/stateful.mjs', import.meta.url));
const AFTER_MS = [100, 1000, 10_000];
/** The second client calls again and again, so that it has a call in flight at most moments. */
const BETWEEN_MS = 20;

it('logs, questions for a model and for a person 0.1, 1 and 10 s after the answer reach no other client', async () => {
  const gateway = await openLiveGateway(({ startLog }) => ({
    command: process.execPath,
    args: [PROGRAM, `--start-log=${startLog}`],
  }));
  const heard: string[] = [];
  const connect = async (who: string) => {
    const capabilities = { sampling: {}, elicitation: {} };
    const connected = await connectTo(await gateway.endpoint(), { capabilities });
    const { client } = connected;
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      heard.push(`${who} log ${String(params.data)}`);
    });
    client.setRequestHandler(CreateMessageRequestSchema, () => {
      heard.push(`${who} sampling`);
      return { role: 'assistant', model: 'none', content: { type: 'text', text: 'none' } };
    });
    client.setRequestHandler(ElicitRequestSchema, () => {
      heard.push(`${who} elicitation`);
      return { action: 'decline' };
    });
    return connected;
  };
  const [ana, ben] = [await connect('ana'), await connect('ben')];
  const call = (name: string, args: object) =>
    ben.client.callTool({ name, arguments: { ...args } }).catch(() => undefined);
  await call('items', {});
  for (const afterMs of AFTER_MS)
    await ana.client.callTool({ name: 'late', arguments: { item: 'text of ana', afterMs } });
  const endsAt = performance.now() + Math.max(...AFTER_MS) + 1000;
  let calls = 0;
  while (performance.now() < endsAt) {
    calls += 1;
    await call('store', { item: 'of ben', ms: BETWEEN_MS });
  }
  expect(calls).toBeGreaterThan(100);
  expect(gateway.starts()).toHaveLength(1);
  expect(heard).toEqual([]);
  // The server did speak: what it asked was refused, and told of.
  const refused = gateway.panel.getSnapshot().events.filter((event) => event.kind === 'ask-refused');
  expect(refused.map(({ detail }) => detail.method)).toEqual(
    expect.arrayContaining(['sampling/createMessage', 'elicitation/create']),
  );
  expect(gateway.panel.sessions.view(SERVER).sharing).toMatchObject({ mode: 'exclusive', asksClients: true });
}, 60_000);
