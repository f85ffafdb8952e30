import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { CurrentTask } from '../../../electron/core/current-task.ts';
import { askToLeave } from '../../../electron/core/doorkeeper/leave.ts';
import { keep } from '../../../electron/core/doorkeeper/main.ts';
import { openClientRegistry } from '../../../electron/core/gateway/auth/client-registry.ts';
import { openSessionIds } from '../../../electron/core/gateway/auth/session-id.ts';
import { Gateway } from '../../../electron/core/gateway/gateway.ts';
import { systemClock as clock } from '../../../electron/core/platform/system-clock.ts';
import { freePort } from '../../fixtures/gateways/free-port.ts';
import { FakeEdge } from '../gateway/gateway-fixture.ts';
import { readHere } from '../long-message.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ROUNDS = 100;
const CLIENTS = 8;

let home: string;

/** A home whose port panels and doorkeepers hold in turn. */
async function open() {
  home = tempFolder('handover-');
  const port = await freePort();
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { port } }));
  const path = join(home, 'clients.json');
  const clients = await openClientRegistry({ path, clock, wallClock: clock, randomBytes });
  const { id, token } = await clients.create({ name: 'one' });
  const sessionIds = await openSessionIds({ home, randomBytes, onProblem: () => undefined });
  const protocolVersion = '2025-06-18';
  const sessionId = sessionIds.mint({
    nonce: 'n',
    clientId: id,
    server: 'one',
    protocolVersion,
    capabilities: 'plain',
  });
  return { clients, port, sessionId, sessionIds, token };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** What a panel is to its clients: an edge that answers each call with its text, and notes it. */
async function startPanel({ clients, port, sessionIds }: Opened, texts: string[]): Promise<Gateway> {
  const edge = new FakeEdge();
  edge.answer = ({ message, reply }) => {
    const text = String(message?.params?.['text']);
    texts.push(text);
    reply.end({ jsonrpc: '2.0', id: message!.id!, result: { text } });
  };
  const gateway = new Gateway({
    clock,
    wallClock: clock,
    settings: () => ({ enabled: true, port }),
    clients,
    edge,
    currentTask: new CurrentTask(clock),
    reader: readHere,
    askToLeave: (asked) => askToLeave(asked, sessionIds, clock.epochMs()),
    onStatus: () => undefined,
    onRefused: () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
  await gateway.start();
  expect(gateway.status).toMatchObject({ isListening: true, port });
  return gateway;
}

/** Posts a call over the client's connections. Resolves with the text of the answer, `refused` where nobody listened, else `lost`. */
function post({ port, sessionId, token }: Opened, agent: Agent, text: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'mcp-session-id': sessionId,
  };
  return new Promise((resolve) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/servers/one/mcp',
      method: 'POST',
      headers,
      agent,
    });
    sent.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', () => resolve('lost'));
      response.on('end', () => {
        const whole = String(Buffer.concat(parts));
        // The panel that had the call ended: as the doorkeeper says it, as the end of the connection does.
        if (whole.includes('OUTCOME_UNKNOWN')) return resolve('lost');
        const { result } = JSON.parse(whole) as { result?: { text: string } };
        resolve(result?.text ?? whole);
      });
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'lost'),
    );
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { text } }));
  });
}

it(
  'hands over a hundred times under load, and no call is done or answered twice',
  { timeout: 120_000 },
  async () => {
    const opened = await open();
    const done: string[] = [];
    const outcomes = new Map<string, string>();
    const over: Promise<void>[] = [];
    let isOver = false;
    const drive = async (client: number) => {
      const agent = new Agent({ keepAlive: true });
      for (let call = 0; !isOver; call += 1) {
        const text = `${client} ${call}`;
        outcomes.set(text, await post(opened, agent, text));
      }
      agent.destroy();
    };
    let panel = await startPanel(opened, done);
    const driven = Array.from({ length: CLIENTS }, (_, client) => drive(client));
    for (let round = 0; round < ROUNDS; round += 1) {
      const stdin = new PassThrough();
      const faults: string[] = [];
      const kept = keep({
        home,
        panelCommand: [],
        stdin,
        onWaiting: () => undefined,
        env: {},
        say: (words) => faults.push(words),
      });
      // The doorkeeper waits for the port, as for that of a panel that dies.
      stdin.end();
      await panel.stop();
      await expect.poll(() => askIfHeld(opened), { timeout: 5000, interval: 1 }).toBe(400);
      const agent = new Agent();
      const held = post(opened, agent, `held ${round}`);
      panel = await startPanel(opened, done);
      expect(await held).toBe(`held ${round}`);
      expect(faults).toEqual([]);
      over.push(kept);
    }
    isOver = true;
    await Promise.all(driven);
    await panel.stop();
    // Each doorkeeper ends with the last connection from before its handover.
    await Promise.all(over);
    await opened.clients.dispose();

    expect(new Set(done).size).toBe(done.length);
    const answered = [...outcomes].filter(([, outcome]) => outcome !== 'refused' && outcome !== 'lost');
    expect(answered.filter(([text, outcome]) => text !== outcome)).toEqual([]);
    expect(answered.length).toBeGreaterThan(ROUNDS);
  },
);

/** Status of a question that only a doorkeeper answers so: the fake panel answers everything. */
async function askIfHeld({ port, token }: Opened): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover' });
  return fetch(`http://127.0.0.1:${port}/servers/one/mcp`, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => 0,
  );
}
