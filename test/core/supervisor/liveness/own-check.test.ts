import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import { RunWatch } from '../../../../electron/core/supervisor/run/run-watch.ts';
import { testConfig } from '../supervisor-bench.ts';
import { createConnectionBench, outcomeOf, ScriptedTransport } from '../../mcp/connection-bench.ts';

const T = 30_000;
const EVERY_MS = 60_000;
const PING_DB = { tool: 'ping_db', everyMs: EVERY_MS };
const SECOND = 1000;
/** A server over a network, where calls wait for no check. */
const AFAR = { transport: 'http', url: 'http://127.0.0.1/', headers: {} } as const;

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params?: Record<string, unknown>;
}
type Reply = { readonly result: object } | { readonly error: { code: number; message: string } } | undefined;

const says = (text: string, isError = false): Reply => ({
  result: { content: [{ type: 'text', text }], ...(isError && { isError }) },
});
const REFUSED = says('connection refused', true);

/** Server that answers probes, lists its tools, and does what a test says with everything else. */
class AnsweringTransport extends ScriptedTransport {
  tools: readonly string[] = ['ping_db'];
  /** Answer to a check or a call; undefined for none. */
  reply: (request: Request) => Reply = () => says('ok');
  /** Whether it reads nothing: what comes waits until it reads again. */
  #isBlocked = false;
  readonly #waiting: Request[] = [];

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message && 'id' in message) || message.method === 'initialize') return;
    const request = message as Request;
    if (this.#isBlocked) this.#waiting.push(request);
    else queueMicrotask(() => this.#take(request));
  }
  set isBlocked(isBlocked: boolean) {
    this.#isBlocked = isBlocked;
    if (!isBlocked) for (const request of this.#waiting.splice(0)) this.#take(request);
  }
  /** Methods of the requests other than probes, with the times when they were sent. */
  get checks(): Request[] {
    return (this.sent as unknown as Request[]).filter(({ method }) =>
      /^(?:tools\/call|resources\/read)$/.test(method),
    );
  }
  get pings(): number {
    return this.sent.filter((message) => 'method' in message && message.method === 'ping').length;
  }

  #take(request: Request): void {
    const tools = this.tools.map((name) => ({ name, inputSchema: { type: 'object' } }));
    const reply =
      request.method === 'ping'
        ? { result: {} }
        : request.method === 'tools/list'
          ? { result: { tools } }
          : this.reply(request);
    if (reply) this.say({ jsonrpc: '2.0', id: request.id, ...reply } as JSONRPCMessage);
  }
}

async function watched(check: object | undefined = PING_DB, { holdsCalls = true } = {}) {
  const settings = panelSettingsSchema.parse({ health: { check } });
  const current = { settings };
  const transport = new AnsweringTransport();
  const bench = await createConnectionBench(settings.calls, { transport });
  const { clock, connection } = bench;
  const events: string[] = [];
  const ends: string[] = [];
  connection.onCallEnded(({ method }) => ends.push(method));
  const watch = new RunWatch({
    config: holdsCalls ? testConfig() : { ...testConfig(), ...AFAR },
    generation: 1,
    clock,
    wallClock: clock,
    random: () => 0.5,
    connection,
    learnt: { of: () => new Set() },
    settings: () => current.settings,
    log: {
      doubted: (kind, { row, words }) => events.push(`${kind} ${row}: ${words}`),
      recovered: (_evidence, doubt) => events.push(`recovered from ${doubt}`),
    },
    atEnd: () => ({ calls: [] }),
    onFound: () => undefined,
    logEvent: (kind) => events.push(kind),
    onChange: () => undefined,
  });
  onTestFinished(() => watch.dispose());
  const change = (next: object | undefined) => {
    current.settings = panelSettingsSchema.parse({ health: { check: next } });
  };
  /** Passes time in small steps, so that a microtask of the server comes in between. */
  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 250) await clock.advance(250);
  };
  return { ...bench, transport, watch, events, ends, change, pass };
}

describe('a person’s own check', () => {
  it('that fails three times in a row makes the server suspect in its own words, and one success makes it well', async () => {
    const { transport, pass, events } = await watched();
    transport.reply = () => REFUSED;
    await pass(2 * EVERY_MS + 5 * SECOND);
    expect([transport.checks.length, events]).toEqual([2, []]);
    await pass(EVERY_MS + 5 * SECOND);
    expect(events).toEqual(['suspect 10: health check "ping_db" failed 3 times: connection refused']);
    await pass(3 * EVERY_MS);
    expect(events).toHaveLength(1);
    transport.reply = () => says('ok');
    await pass(EVERY_MS + 5 * SECOND);
    expect(events.slice(1)).toEqual(['recovered from 10']);
  });

  it('is sent with its arguments, or reads a resource', async () => {
    const tool = await watched({ ...PING_DB, arguments: { database: 'main' } });
    await tool.pass(EVERY_MS + SECOND);
    expect(tool.transport.checks[0]).toMatchObject({
      method: 'tools/call',
      params: { name: 'ping_db', arguments: { database: 'main' } },
    });
    const { transport, pass, events } = await watched({
      resource: 'db://health',
      everyMs: EVERY_MS,
      expect: 'up',
    });
    transport.reply = () => ({ result: { contents: [{ uri: 'db://health', text: 'down' }] } });
    await pass(3 * EVERY_MS + 15 * SECOND);
    expect(transport.checks[0]).toMatchObject({ method: 'resources/read', params: { uri: 'db://health' } });
    expect(events).toEqual(['suspect 10: health check "db://health" failed 3 times: the answer lacks "up"']);
  });

  it('is nobody’s use: no call is in flight while it runs, and none has ended behind it', async () => {
    const { clock, connection, transport, pass, ends, watch } = await watched();
    transport.reply = () => undefined;
    await pass(EVERY_MS + 2 * SECOND);
    expect(transport.checks).toHaveLength(1);
    expect([connection.ledger.inFlightAt(clock.now()), connection.ledger.awaitedAt(clock.now())]).toEqual([
      [],
      [],
    ]);
    expect(watch.view()).toEqual({ health: 'ok' });
    transport.answer(transport.checks[0]!.id, { content: [] });
    await pass(EVERY_MS);
    expect(ends).toEqual([]);
  });

  it('waits until nothing is in flight, and what it finds beside a call says nothing', async () => {
    const { connection, transport, pass, events } = await watched();
    transport.reply = ({ params }) => (params?.['name'] === 'ping_db' ? REFUSED : undefined);
    const call = () => void connection.request('tools/call', { name: 'query' }).catch(() => undefined);
    call();
    await pass(2 * EVERY_MS);
    expect(transport.checks).toHaveLength(1);
    transport.answer(transport.checks[0]!.id);
    // From here on each check hangs, and a call comes beside it.
    transport.reply = () => undefined;
    for (let round = 0; round < 4; round += 1) {
      const before = transport.checks.length;
      while (transport.checks.length === before) await pass(SECOND);
      call();
      await pass(2 * SECOND);
      transport.answer(transport.checks.at(-1)!.id);
      await pass(T);
    }
    expect(events).toEqual([]);
  });

  it('that hangs ends at the threshold and is called off, and holds up and judges nobody meanwhile', async () => {
    const { connection, transport, pass, events, watch } = await watched();
    transport.reply = ({ params }) => (params?.['name'] === 'ping_db' ? undefined : says('rows'));
    await pass(EVERY_MS + 2 * SECOND);
    const call = outcomeOf(connection.request('tools/call', { name: 'query' }));
    await pass(SECOND * 2);
    expect(call.now).toMatchObject({ content: [{ text: 'rows' }] });
    await pass(T);
    expect(transport.cancelled).toEqual([transport.checks[0]!.id]);
    expect(events).toEqual([]);
    await pass(3 * (EVERY_MS + T) + 10 * SECOND);
    expect(events).toEqual(['suspect 10: health check "ping_db" failed 3 times: no answer for 30 s']);
    expect(watch.view()).toEqual({ health: 'ok' });
    // Known to fail, it is tried at the pace of a call's deadline, because the server may still be at all of them.
    const known = transport.checks.length;
    await pass(4 * EVERY_MS);
    expect(transport.checks.length - known).toBe(0);
    await pass(2 * EVERY_MS);
    expect(transport.checks.length - known).toBe(1);
  });

  it.each([
    ['over a pipe', true],
    ['over a network', false],
  ])('that blocks its server for two minutes (%s) is no reason to call it hung', async (_how, holdsCalls) => {
    const { transport, pass, events } = await watched(PING_DB, { holdsCalls });
    let id = 0;
    transport.reply = (request) => {
      id = request.id;
      transport.isBlocked = true;
      return undefined;
    };
    for (let round = 0; round < 2; round += 1) {
      const before = transport.checks.length;
      while (transport.checks.length === before) await pass(SECOND);
      await pass(130 * SECOND);
      transport.isBlocked = false;
      transport.answer(id, { content: [{ type: 'text', text: 'ok' }] });
    }
    await pass(10 * SECOND);
    expect(events).toEqual([]);
  });

  it('does not hide that its server is hung: not when it hung before, and for the time of a call when it hangs by it', async () => {
    const before = await watched(PING_DB, { holdsCalls: false });
    await before.pass(SECOND);
    before.transport.isBlocked = true;
    await before.pass(2 * EVERY_MS + 2 * T);
    expect(before.transport.checks).toEqual([]);
    expect(before.events.map((event) => event.slice(0, 9))).toEqual(['suspect 4', 'stalled 4']);
    const { transport, pass, events } = await watched(PING_DB, { holdsCalls: false });
    transport.reply = () => {
      transport.isBlocked = true;
      return undefined;
    };
    await pass(EVERY_MS + 300 * SECOND + T);
    expect(events).toEqual([]);
    await pass(2 * T + 10 * SECOND);
    expect(events.map((event) => event.slice(0, 9))).toEqual(['suspect 4', 'stalled 4']);
  });

  it('that has failed hides no conviction of a server that falls silent as well', async () => {
    const { transport, pass, events } = await watched(PING_DB, { holdsCalls: false });
    transport.reply = () => REFUSED;
    await pass(3 * EVERY_MS + 15 * SECOND);
    transport.isBlocked = true;
    const sent = transport.checks.length;
    await pass(EVERY_MS + 2 * T + 10 * SECOND);
    expect(events.map((event) => event.slice(0, 10))).toEqual(['suspect 10', 'stalled 4:']);
    expect(transport.checks.length).toBe(sent);
  });

  it('lies: what is no error and lacks the text that is expected has failed', async () => {
    const { transport, pass, events } = await watched({ ...PING_DB, expect: 'db: up (a+)+$' });
    transport.reply = () => says('all is well');
    await pass(3 * EVERY_MS + 15 * SECOND);
    expect(events).toEqual([
      'suspect 10: health check "ping_db" failed 3 times: the answer lacks "db: up (a+)+$"',
    ]);
    transport.reply = () => says('today db: up (a+)+$ again');
    await pass(EVERY_MS + 5 * SECOND);
    expect(events).toHaveLength(2);
  });

  it('takes long: it is not begun again before it has ended, and its pause begins then', async () => {
    const { clock, transport, pass, events } = await watched({ ...PING_DB, everyMs: 10_000 });
    transport.reply = () => undefined;
    const beganAtMs: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const before = transport.checks.length;
      while (transport.checks.length === before) await pass(250);
      beganAtMs.push(clock.now());
      await pass(25 * SECOND);
      expect(transport.checks.length).toBe(before + 1);
      transport.answer(transport.checks.at(-1)!.id, { content: [] });
    }
    for (const [index, atMs] of beganAtMs.slice(1).entries())
      expect(atMs - beganAtMs[index]!).toBeGreaterThanOrEqual(35 * SECOND);
    expect([events, transport.cancelled]).toEqual([[], []]);
  });

  it.each<[string, Reply]>([
    ['an error', { error: { code: -32602, message: 'Unknown tool: ping_db' } }],
    ['a failed result', says('Tool ping_db not found', true)],
  ])('whose tool is gone says so, when the server answers with %s', async (_how, reply) => {
    const { transport, pass, events } = await watched();
    transport.tools = ['query'];
    transport.reply = () => reply;
    await pass(3 * EVERY_MS + 15 * SECOND);
    expect(events).toEqual([
      'suspect 10: health check "ping_db" failed 3 times: the server no longer offers this tool',
    ]);
  });

  it('counts anew when it is changed, and a server is well when it is taken away', async () => {
    const { transport, pass, events, change } = await watched();
    transport.reply = () => REFUSED;
    await pass(2 * EVERY_MS + 10 * SECOND);
    change({ ...PING_DB, tool: 'ping_cache', everyMs: 10_000 });
    await pass(25 * SECOND);
    expect([transport.checks.at(-1)!.params!['name'], events]).toEqual(['ping_cache', []]);
    await pass(15 * SECOND);
    expect(events).toEqual([
      'suspect 10: health check "ping_cache" failed 3 times: the server no longer offers this tool',
    ]);
    change(undefined);
    await pass(2 * EVERY_MS);
    expect(events.slice(1)).toEqual(['recovered from 10']);
    const sent = transport.checks.length;
    await pass(5 * EVERY_MS);
    expect(transport.checks.length).toBe(sent);
  });

  it('convicts only where a person wants that, and nobody whose call is in flight', async () => {
    const { connection, transport, pass, events } = await watched({ ...PING_DB, onFail: 'restart' });
    transport.reply = ({ params }) => (params?.['name'] === 'ping_db' ? REFUSED : undefined);
    await pass(2 * EVERY_MS + 10 * SECOND);
    const before = transport.checks.length;
    while (transport.checks.length === before) await pass(250);
    // It leaves in the moment in which the third failure has come.
    void connection.request('tools/call', { name: 'query' }).catch(() => undefined);
    await pass(5 * SECOND);
    expect(events).toEqual(['suspect 10: health check "ping_db" failed 3 times: connection refused']);
    transport.answer(transport.lastId);
    await pass(SECOND);
    expect(events.slice(1)).toEqual([
      'stalled 10: health check "ping_db" failed 3 times: connection refused',
    ]);
  });

  it('shows the beginning of a long answer, cut between words, and no characters that move anything', async () => {
    const { transport, pass, events } = await watched();
    transport.reply = () => says(`refused\u001b[2J ${'x'.repeat(150)} ${'s'.repeat(90)}`, true);
    await pass(3 * EVERY_MS + 15 * SECOND);
    expect(events).toEqual([
      `suspect 10: health check "ping_db" failed 3 times: refused [2J ${'x'.repeat(150)} …`,
    ]);
  });

  it('ends with its run', async () => {
    const { clock, transport, pass, watch } = await watched();
    transport.reply = () => undefined;
    await pass(EVERY_MS + 2 * SECOND);
    watch.dispose();
    await clock.advance(0);
    expect(transport.cancelled).toEqual([transport.checks[0]!.id]);
    await pass(3 * EVERY_MS);
    expect([transport.checks.length, clock.pending]).toEqual([1, 0]);
  });
});
