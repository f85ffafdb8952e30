import type { CallToolResult, LoggingMessageNotification } from '@modelcontextprotocol/sdk/types.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import type { ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import { connectTo, openLiveGateway, recording, type LiveGateway } from './live-gateway.ts';

const LIMIT = { deadlineMs: 10_000, describe: 'the server has the call' };

const open = (...flags: string[]) =>
  openLiveGateway((records) => fixtureServer(...recording(records), ...flags));

/** Clients of two tokens: those of one token are strangers to each other, too. */
async function connect(gateway: LiveGateway, count: number): Promise<ConnectedClient[]> {
  const endpoints = await gateway.endpoints(2);
  return Promise.all(
    Array.from({ length: count }, (_, index) => connectTo(endpoints[index % endpoints.length]!)),
  );
}

const textOf = (result: unknown) => (result as CallToolResult).content[0];
const echo = async ({ client }: ConnectedClient, text: string) =>
  textOf(await client.callTool({ name: 'echo', arguments: { text } }));

describe('calls of real clients through the gateway', () => {
  it('may be long both ways', async () => {
    const [client] = (await connect(await open(), 1)) as [ConnectedClient];
    const text = 'ä"\\n'.repeat(100_000);
    expect(await echo(client, text)).toEqual({ type: 'text', text });
  });

  it('get the progress that they asked for and no other', async () => {
    const gateway = await open();
    const connected = await connect(gateway, 5);
    const heard = connected.map(() => [] as number[]);
    const strays: unknown[] = [];
    for (const { client } of connected) client.onerror = (error) => strays.push(error);
    await Promise.all(
      connected.map(({ client }, who) => {
        // The last one asks for none. Each of the others has an interval that tells whose progress it is.
        const onprogress = ({ progress }: { progress: number }) => heard[who]!.push(progress);
        const args = { ms: 150, progressIntervalMs: 11 + who };
        const params = { name: 'sleep', arguments: args };
        return client.callTool(params, undefined, who === 4 ? {} : { onprogress });
      }),
    );
    for (const [who, values] of heard.slice(0, 4).entries()) {
      expect(values.length).toBeGreaterThan(0);
      expect(values.filter((value) => value % (11 + who) !== 0)).toEqual([]);
    }
    expect(heard[4]).toEqual([]);
    expect(strays).toEqual([]);
  });

  it('leave log messages to the only client that ever called, and to nobody once two have', async () => {
    const gateway = await open('--logging');
    const [waiting, working] = (await connect(gateway, 2)) as [ConnectedClient, ConnectedClient];
    const logs = { waiting: 0, working: 0 };
    const count = (who: keyof typeof logs) => (_: LoggingMessageNotification) => void (logs[who] += 1);
    waiting.client.setNotificationHandler(LoggingMessageNotificationSchema, count('waiting'));
    working.client.setNotificationHandler(LoggingMessageNotificationSchema, count('working'));
    const log = () => working.client.callTool({ name: 'work', arguments: { steps: 'log:30' } });
    await log();
    expect(logs).toEqual({ waiting: 0, working: 1 });
    const asleep = waiting.client.callTool({ name: 'sleep', arguments: { ms: 1500 } });
    const isAsleep = () =>
      gateway
        .received()
        .some(({ method, params }) => method === 'tools/call' && params?.['name'] === 'sleep');
    await waitUntil(isAsleep, LIMIT);
    await log();
    await asleep;
    await log();
    expect(logs).toEqual({ waiting: 0, working: 1 });
  });
});
