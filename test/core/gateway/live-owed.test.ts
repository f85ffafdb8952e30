import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import type { Endpoint } from '../../fixtures/gateways/connect-client.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openLiveGateway, recording, SERVER, type LiveGateway } from './live-gateway.ts';

const LIST_CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

let toolsFile: string;
let gateway: LiveGateway;
beforeEach(async () => {
  toolsFile = join(tempFolder('owed-'), 'tools');
  writeFileSync(toolsFile, 'echo\n');
  gateway = await openLiveGateway((records) =>
    fixtureServer(...recording(records), `--tools-file=${toolsFile}`),
  );
});

interface Message {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly tools?: readonly { readonly name: string }[] };
}

/** A client that opens no stream of its own, like one whose stream has broken. */
class PostingClient {
  #endpoint: Endpoint;
  #sessionId = '';
  #lastId = 0;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  async initialize(): Promise<this> {
    const clientInfo = { name: 'posting', version: '1' };
    await this.post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    return this;
  }

  follow(): void {
    this.#endpoint = gateway.moved(this.#endpoint);
  }

  /** All that comes in the response, the answer last. */
  async post(method: string, params: object = {}): Promise<Message[]> {
    const response = await fetch(this.#endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${this.#endpoint.token ?? ''}`,
        ...(this.#sessionId !== '' && { 'mcp-session-id': this.#sessionId }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: (this.#lastId += 1), method, params }),
    });
    expect(response.status).toBe(200);
    this.#sessionId = response.headers.get('mcp-session-id') ?? this.#sessionId;
    const text = await response.text();
    if (response.headers.get('content-type')?.startsWith('application/json') === true)
      return [JSON.parse(text) as Message];
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)) as Message);
  }

  async tools(): Promise<{ names: string[] | undefined; before: Message[] }> {
    const messages = await this.post('tools/list');
    return { names: messages.at(-1)?.result?.tools?.map(({ name }) => name), before: messages.slice(0, -1) };
  }

  echo(): Promise<Message[]> {
    return this.post('tools/call', { name: 'echo', arguments: { text: 'x' } });
  }
}

const connect = async () => new PostingClient(await gateway.endpoint()).initialize();

describe('a change of a list', () => {
  it('that a client was not told before the panel quit is told before the answer to its next request', async () => {
    const [ana, ben] = [await connect(), await connect()];
    expect([await ana.tools(), await ben.tools()]).toEqual([
      { names: ['echo'], before: [] },
      { names: ['echo'], before: [] },
    ]);
    appendFileSync(toolsFile, 'pid\n');
    await gateway.panel.servers.restart(SERVER);
    await expect.poll(async () => (await ana.echo()).slice(0, -1)).toEqual([LIST_CHANGED]);
    await gateway.reopen();
    const cleo = await connect();
    ben.follow();
    const [told, answer, ...more] = await ben.echo();
    expect([told, answer, more]).toEqual([LIST_CHANGED, expect.objectContaining({ id: 3 }), []]);
    expect(await ben.tools()).toEqual({ names: ['echo', 'pid'], before: [] });
    expect((await cleo.echo()).slice(0, -1)).toEqual([]);
  });

  it('while the panel was away is told to each session, whoever calls first', async () => {
    const [ana, ben] = [await connect(), await connect()];
    await ana.tools();
    await ben.tools();
    appendFileSync(toolsFile, 'pid\n');
    await gateway.reopen();
    for (const client of [ana, ben]) client.follow();
    await expect.poll(async () => (await ana.echo()).slice(0, -1)).toEqual([LIST_CHANGED]);
    expect((await ben.echo()).slice(0, -1)).toEqual([LIST_CHANGED]);
    expect((await ben.echo()).slice(0, -1)).toEqual([]);
  });

  it('that never was is told to nobody', async () => {
    const ana = await connect();
    await ana.tools();
    await gateway.reopen();
    ana.follow();
    expect((await ana.echo()).slice(0, -1)).toEqual([]);
  });
});
