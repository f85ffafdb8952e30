import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { skipOn } from '../../support/skip-on.ts';
import { BRIDGE, BridgedHome, type BridgeProcess } from './bridge-process.ts';
import { isAlive } from '../../support/proc.ts';

const PATIENT = 90_000;
const within = (describe: string) => ({ deadlineMs: 20_000, describe });
const killed = skipOn('win32', 'Windows has no SIGKILL of one process alone');

async function openHome(...flags: string[]): Promise<BridgedHome> {
  const home = await BridgedHome.create((...records) => fixtureServer(...records, ...flags));
  onTestFinished(() => home.dispose());
  return home;
}

async function servedHome(...flags: string[]): Promise<BridgedHome> {
  const home = await openHome(...flags);
  await home.startPanel();
  return home;
}

/** Where a busy machine has the panel answer late, it moves over first. */
async function connected(home: BridgedHome, capabilities?: object): Promise<BridgeProcess> {
  const bridge = home.bridge();
  expect((await bridge.greet(capabilities)).result).toMatchObject({ serverInfo: { name: 'fixture' } });
  await untilOneServer(home);
  return bridge;
}

const untilOneServer = (home: BridgedHome) =>
  waitUntil(() => home.starts().filter(isAlive).length === 1, within('one process of the server'));

/** No answer came twice, and none without its request. */
function expectEachAnswerOnce({ lines }: BridgeProcess): void {
  const ids = lines.flatMap(({ id, method }) => (id === undefined || method !== undefined ? [] : [id]));
  expect(ids).toEqual([...new Set(ids)]);
}

describe('a bridge to the panel', { timeout: PATIENT }, () => {
  it('passes lists, calls, an answer of a mebibyte, progress and cancellations over the one process of the panel', async () => {
    const home = await servedHome();
    const bridge = await connected(home);
    const { result } = await bridge.ask('tools/list');
    expect(result?.['tools']).toContainEqual(expect.objectContaining({ name: 'echo' }));
    expect(await bridge.echo('hello')).toBe('hello');
    const long = await bridge.call('payload', { bytes: 1024 * 1024 });
    expect(long.result?.content?.[0]?.text).toHaveLength(1024 * 1024);

    const meta = { _meta: { progressToken: 'p1' } };
    await bridge.call('sleep', { ms: 400, progressIntervalMs: 100 }, meta);
    const told = bridge.lines.filter(({ method }) => method === 'notifications/progress');
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(told[0]?.params).toMatchObject({ progressToken: 'p1' });

    const requestId = bridge.nextId;
    void bridge.call('sleep', { ms: 60_000 });
    bridge.send({ method: 'notifications/cancelled', params: { requestId } });
    await waitUntil(() => home.received('notifications/cancelled') === 1, within('the cancellation'));
    expect(await bridge.echo('after')).toBe('after');
    expectEachAnswerOnce(bridge);
    expect(bridge.lines.some(({ id }) => id === requestId)).toBe(false);
  });

  it('passes a request of the server to the client, and its answer back', async () => {
    const home = await servedHome('--ask-back=sampling/createMessage');
    const bridge = await connected(home, { sampling: {} });
    const call = bridge.echo('asked');
    const asked = () => bridge.lines.find(({ method }) => method === 'sampling/createMessage');
    // On a shared process the server is refused; from then on each client has one of its own.
    await Promise.race([call, waitUntil(() => asked(), within('the request'))]);
    const question = asked();
    if (question)
      bridge.send({ id: question.id, result: { role: 'assistant', content: { type: 'text', text: 'x' } } });
    expect(await call).toBe('asked');
    expect(question).toBeDefined();
  });

  it('answers server/discover at once, before anything else', async () => {
    const home = await openHome();
    const bridge = home.bridge();
    expect((await bridge.ask('server/discover')).error?.code).toBe(-32601);
    expect(bridge.lines).toHaveLength(1);
    expect((await bridge.greet()).result).toBeDefined();
  });

  it('holds what is called while the panel is away, and sends it once when it is back', killed, async () => {
    const home = await servedHome();
    const bridge = await connected(home);
    await bridge.echo('before');
    const said = bridge.stderr;
    await home.killPanel();
    const held = ['a', 'b', 'c'].map((text) => bridge.echo(text));
    await delay(500);
    await home.startPanel();
    expect(await Promise.all(held)).toEqual(['a', 'b', 'c']);
    expect(home.calls().sort()).toEqual(['a', 'b', 'before', 'c']);
    expectEachAnswerOnce(bridge);
    expect(bridge.stderr).toBe(said);
  });

  it('tells of a call that was under way when the panel died, and never repeats it', killed, async () => {
    const home = await servedHome();
    const bridge = await connected(home);
    const lost = bridge.call('sleep', { ms: 60_000 });
    await waitUntil(() => home.calls().includes('sleep'), within('the call at the server'));
    await home.killPanel();
    expect((await lost).error?.data?.code).toBe('OUTCOME_UNKNOWN');
    await home.startPanel();
    expect(await bridge.echo('next')).toBe('next');
    expect(home.calls()).toEqual(['sleep', 'next']);
    expectEachAnswerOnce(bridge);
  });

  it('loses and doubles no call by count while the panel is killed again and again', killed, async () => {
    const home = await servedHome();
    const bridge = await connected(home);
    const outcomes = new Map<string, string | undefined>();
    let isOver = false;
    const callers = ['a', 'b', 'c'].map(async (caller) => {
      for (let index = 0; !isOver; index += 1) {
        const text = `${caller}${index}`;
        outcomes.set(text, await bridge.echo(text));
      }
    });
    for (let round = 0; round < 3; round += 1) {
      await delay(300);
      await home.killPanel();
      await home.startPanel();
      const before = outcomes.size;
      await waitUntil(() => outcomes.size > before + 10, within('calls over the new panel'));
    }
    isOver = true;
    await Promise.all(callers);
    const arrived = home.calls();
    expect(arrived).toEqual([...new Set(arrived)]);
    for (const [text, outcome] of outcomes) {
      expect([text, 'OUTCOME_UNKNOWN']).toContain(outcome);
      if (outcome === text) expect(arrived).toContain(text);
    }
    expectEachAnswerOnce(bridge);
  });

  it('passes on the words of the panel for a token that is not known', async () => {
    const home = await servedHome();
    const words = async () =>
      (await home.bridge(undefined, `mcpcp_${'x'.repeat(43)}`).greet()).error?.message;
    // One that has just started may answer too late.
    await waitUntil(async () => (await words())?.includes('a token of this panel'), within('its words'));
  });

  it('begins its session anew where the panel knows it no more', async () => {
    const home = await servedHome();
    const bridge = await connected(home);
    await bridge.echo('before');
    await home.quitPanel();
    rmSync(join(home.home, 'gateway-key'));
    await home.startPanel();
    expect(await bridge.echo('after')).toBe('after');
    expect(home.calls()).toEqual(['before', 'after']);
  });

  it('shares the process of the panel with a second bridge of the same client', async () => {
    const home = await servedHome();
    const [one, two] = await Promise.all([connected(home), connected(home)]);
    expect(await Promise.all([one.echo('1'), two.echo('2')])).toEqual(['1', '2']);
    await one.dispose();
    expect(await two.echo('3')).toBe('3');
    expect(home.starts().filter(isAlive)).toHaveLength(1);
  });
});

describe('a bridge without a panel', { timeout: PATIENT }, () => {
  it('runs the server itself, and leaves nothing at the end of its input', async () => {
    const home = await openHome();
    const bridge = await connected(home);
    expect(await bridge.echo('alone')).toBe('alone');
    const [pid] = home.starts();
    expect(isAlive(pid!)).toBe(true);
    await bridge.dispose();
    expect(isAlive(pid!)).toBe(false);
    expect(bridge.child.exitCode).toBe(0);
  });

  it('puts in variables and defaults, and leaves a server with a secret to the panel', async () => {
    // What looks like a placeholder ran before any panel asked, so it is meant.
    const env = { OWN: '${env:PATH}', PORT: '${NO_SUCH_PORT:-3000}', KEY: '<YOUR_KEY>' };
    const home = await openHome();
    home.writeEntry({ env });
    const bridge = await connected(home);
    const { result } = await bridge.call('environment', { names: ['OWN', 'PORT', 'KEY'] });
    expect(JSON.parse(result?.content?.[0]?.text ?? '')).toEqual({
      ...{ OWN: process.env['PATH'], PORT: '3000', KEY: '<YOUR_KEY>' },
    });

    const other = await openHome();
    other.writeEntry({ env: { TOKEN: '${secret:TOKEN}' } });
    const { error } = await other.bridge().greet();
    expect(error?.message).toContain('needs ${secret:TOKEN}');
    expect(other.starts()).toEqual([]);
  });

  it('leaves no server behind when it is killed itself', killed, async () => {
    const home = await openHome();
    const bridge = home.bridge();
    await bridge.greet();
    const [pid] = home.starts();
    bridge.child.kill('SIGKILL');
    await waitUntil(() => !isAlive(pid!), within('the end of the server'));
    // What it had written down of the server is put away by the next panel.
    await home.startPanel();
    const ledger = join(home.home, 'bridge', 'ledger');
    await waitUntil(() => readdirSync(ledger).length === 0, within('an empty ledger'));
  });

  it('runs the server itself beside a panel that is frozen', killed, async () => {
    const home = await servedHome();
    home.freezePanel();
    const bridge = home.bridge();
    expect((await bridge.greet()).result).toBeDefined();
    expect(await bridge.echo('own')).toBe('own');
    expect(bridge.stderr).toContain('runs the server itself');
    await home.killPanel();
  });

  it('moves over to a panel that comes later, between two calls, and loses and doubles none', async () => {
    const home = await servedHome();
    await home.quitPanel();
    const bridge = await connected(home);
    const own = home.starts().at(-1);
    let isMoved = false;
    const texts: string[] = [];
    const calling = (async () => {
      for (let index = 0; !isMoved; index += 1) {
        texts.push(`call ${index}`);
        expect(await bridge.echo(texts.at(-1)!)).toBe(texts.at(-1));
        await delay(20);
      }
    })();
    await home.startPanel();
    await waitUntil(() => !isAlive(own!), within('the end of the own process'));
    isMoved = true;
    await calling;
    expect(await bridge.echo('last')).toBe('last');
    expect(home.calls()).toEqual([...texts, 'last']);
    expectEachAnswerOnce(bridge);
  });

  it('says what is wrong where it cannot start the server', async () => {
    const home = await openHome();
    const bridge = home.bridge('two');
    expect((await bridge.greet()).error?.message).toContain('There is no server "two"');
  });

  it('does not start itself again and again where the entry of the server is the bridge', async () => {
    const home = await openHome();
    const itself = { command: process.execPath, args: [BRIDGE, 'connect', 'one'] };
    writeFileSync(join(home.home, 'servers.json'), JSON.stringify({ mcpServers: { one: itself } }));
    expect((await home.bridge().greet()).error?.message).toContain('it may be that server');
  });

  it('starts a server anew that has ended, and tells of the call that was lost', async () => {
    const home = await openHome();
    const bridge = await connected(home);
    const lost = await bridge.call('crash', { code: 3 });
    expect(lost.error?.data?.code).toBe('OUTCOME_UNKNOWN');
    expect(await bridge.echo('next')).toBe('next');
    expect(home.calls()).toEqual(['crash', 'next']);
    expect(home.starts()).toHaveLength(2);
  });
});
