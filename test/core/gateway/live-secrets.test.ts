import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { untilServing } from '../../fixtures/gateways/connect-client.ts';
import { startOwnGateway, type OwnGateway } from '../../fixtures/gateways/own-gateway.ts';
import { ask } from './gateway-fixture.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { onlyOn } from '../../support/skip-on.ts';
import { treeOf } from '../../support/proc.ts';

const SERVER = 'one';
const PATH = `/servers/${SERVER}/mcp`;
const CANARY = 'CANARY-4711-planted';
const START_MS = 60_000;

describe('of two clients of the whole panel', onlyOn('linux', 'it reads /proc'), () => {
  let gateway: OwnGateway;
  let clients: [KeepAliveClient, KeepAliveClient];

  beforeAll(async () => {
    gateway = await startOwnGateway({ [SERVER]: fixtureServer() }, { clients: 2 });
    await untilServing({ url: gateway.urlOf(SERVER), token: gateway.token }, 'echo');
    const [one, two] = gateway.tokens.map((token) => new KeepAliveClient(gateway.urlOf(SERVER), token));
    clients = [one!, two!];
    for (const client of clients) await client.initialize();
  }, START_MS);

  afterAll(async () => {
    for (const client of clients) client.close();
    await gateway.dispose();
  });

  const post = (token: string | undefined, headers: Record<string, string>, path = PATH) =>
    ask({ port: Number(new URL(gateway.urlOf(SERVER)).port), path, token, headers });

  it('the session of one is nobody’s with the token of the other, without one, and after its end', async () => {
    const [one, two] = clients;
    const third = new KeepAliveClient(gateway.urlOf(SERVER), gateway.token);
    await third.initialize();
    const headers = { 'Mcp-Session-Id': third.sessionId! };
    expect((await post(gateway.tokens[0], headers)).status).toBe(200);
    expect((await post(gateway.tokens[1], headers)).status).toBe(404);
    expect((await post(undefined, headers)).status).toBe(401);
    expect(await third.end()).toBe(204);
    expect((await post(gateway.tokens[0], headers)).status).toBe(404);
    third.close();
    for (const client of [one, two]) expect(await client.echo(1, 'still')).toContain('"still"');
  });

  it('no token, session or planted word stands in the files of the panel, in its output or with its server', async () => {
    const [one] = clients;
    await one.echo(1, 'said');
    const odd: [Record<string, string>, string?][] = [
      [{ Authorization: `Bearer ${CANARY}` }],
      [{ Host: CANARY }],
      [{ Origin: CANARY }],
      [{ 'Mcp-Session-Id': CANARY }],
      [{ 'MCP-Protocol-Version': CANARY }],
      [{ Cookie: CANARY }, `${PATH}?token=${CANARY}`],
      [{}, `/servers/${CANARY}/mcp`],
    ];
    for (const [headers, path] of odd) {
      const token = headers['Authorization'] === undefined ? gateway.token : undefined;
      expect((await post(token, headers, path)).status).toBeGreaterThanOrEqual(400);
    }
    const texts = [
      gateway.output(),
      ...filesBelow(gateway.home).map((path) => readFileSync(path, 'latin1')),
      ...treeOf(gateway.pid).flatMap((pid) => [read(pid, 'environ'), read(pid, 'cmdline')]),
    ];
    // The search is in vain for nothing: what is known to be there is found.
    expect(texts.some((text) => text.includes('test client 1'))).toBe(true);
    const secrets = [...gateway.tokens.map((token) => token.slice('mcpcp_'.length)), one.sessionId!, CANARY];
    for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(await one.echo(2, 'still')).toContain('"still"');
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

const read = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'latin1');
