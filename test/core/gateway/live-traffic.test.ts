import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../shared/log-lines.ts';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import type { ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import { connectTo, openLiveGateway, SERVER, type LiveGateway } from './live-gateway.ts';

const SECRET = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

async function open() {
  const gateway = await openLiveGateway(() => fixtureServer());
  const endpoints = await gateway.endpoints(2);
  return { gateway, clients: await Promise.all(endpoints.map((endpoint) => connectTo(endpoint))) };
}

const echo = ({ client }: ConnectedClient, text: string) =>
  client.callTool({ name: 'echo', arguments: { text } });

async function traffic({ panel }: LiveGateway): Promise<readonly LogLine[]> {
  const filter = { servers: [SERVER], sources: ['traffic' as const], withoutOwn: true as const };
  return (await panel.logs.page({ filter, limit: 2000 })).lines;
}

/** Everything below a folder, as one text. */
function textBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

describe('the traffic of a server behind the gateway', () => {
  it('pairs each call with its answer, and says how long it took and for whom', async () => {
    const { gateway, clients } = await open();
    await Promise.all(clients.map((client, who) => echo(client, `from ${who}`)));
    const lines = await traffic(gateway);
    const calls = lines.filter(
      ({ traffic }) => traffic?.kind === 'request' && traffic.method === 'tools/call',
    );
    expect(calls.map(({ traffic }) => traffic?.client).sort()).toEqual(['client 1', 'client 2']);
    for (const call of calls) {
      expect(call.text).toMatch(/^→ tools\/call echo \{"text":"from [01]"\} · \d+ B · client [12]$/);
      expect(call).toMatchObject({ server: SERVER, generation: 1, source: 'traffic' });
      const answer = lines.find(({ key }) => key === call.traffic?.pairKey);
      expect(answer?.traffic).toMatchObject({
        ...{ direction: 'from-server', kind: 'result', method: 'tools/call', target: 'echo' },
        ...{ client: call.traffic?.client, pairKey: call.key, hasContent: true },
      });
      expect(answer?.traffic?.durationMs).toBeGreaterThan(0);
      const said = await gateway.panel.logs.content(call.key);
      const who = Number(call.traffic?.client?.slice(-1)) - 1;
      expect(JSON.parse(said!.text)).toMatchObject({
        params: { name: 'echo', arguments: { text: `from ${who}` } },
      });
    }
  });

  it('shows no secret in a line or a content, and writes nothing of a content to disk', async () => {
    const { gateway, clients } = await open();
    await echo(clients[0]!, `key ${SECRET}, planted in the arguments`);
    await clients[0]!.client.readResource({ uri: `file:///tmp?token=${SECRET}` }).catch(() => undefined);
    const lines = await traffic(gateway);
    const contents = await Promise.all(lines.map(({ key }) => gateway.panel.logs.content(key)));
    const shown = JSON.stringify([lines, contents]);
    expect(shown).toContain('planted in the arguments');
    expect(shown).toContain('resources/read');
    expect(shown).not.toContain(SECRET.slice(4, 20));
    await gateway.panel.dispose();
    const written = textBelow(join(gateway.home, 'logs'));
    expect(written).not.toContain('planted in the arguments');
    expect(written).not.toContain(SECRET.slice(4, 20));
  });

  it('marks what the panel asks for itself, which can be left out', async () => {
    const { gateway } = await open();
    const all = await gateway.panel.logs.page({ filter: { sources: ['traffic'] }, limit: 2000 });
    const own = all.lines.filter(({ traffic }) => traffic?.own);
    expect(own.map(({ traffic }) => traffic?.method)).toContain('initialize');
    expect(own.every(({ traffic }) => traffic?.client === undefined)).toBe(true);
    expect((await traffic(gateway)).some(({ traffic }) => traffic?.own)).toBe(false);
  });
});
