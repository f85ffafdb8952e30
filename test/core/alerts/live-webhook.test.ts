import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AlertRule } from '../../../shared/alerts.ts';
import { AlertQueue, MAX_WAITING } from '../../../electron/core/alerts/alert-queue.ts';
import { alertOf, type Alert } from '../../../electron/core/alerts/alert-words.ts';
import { post } from '../../../electron/core/alerts/post.ts';
import { webhookRequest } from '../../../electron/core/alerts/webhook-request.ts';
import { createHttpClient } from '../../../electron/core/supervisor/remote/http-client.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { openReceiver, type Receiver } from './receiver.ts';

const rule: AlertRule = {
  ...{ id: 'one', what: 'failed', servers: 'all', lastsMinutes: 0, repeatHours: 0 },
  to: ['webhook'],
};
const alert = (name: string, detail?: string): Alert =>
  alertOf(rule, [{ name, since: 1_800_000_000_000, detail }], 1_800_000_060_000);
const openHttp = () => createHttpClient({ tls: { verify: true, extraRoots: [] } });

/** Body of a request, as far as these tests look into it. */
const read = (body: string) => JSON.parse(body) as { title: string; text: string; content: string };

let receiver: Receiver;
let clock: FakeClock;
beforeEach(async () => {
  receiver = await openReceiver();
  clock = createFakeClock();
});
afterEach(() => receiver.close());

/** Waits for real sockets, while the clock of the alerts stands still. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 15_000 });
const arrived = (count: number) => until(() => expect(receiver.received).toHaveLength(count));
const send = (url = receiver.url) => post({ clock, openHttp }, url, webhookRequest('json', alert('github')));

describe('a webhook', () => {
  it('gets the alert, and its answer is kept in part', async () => {
    receiver.answer = (response) => response.end('a'.repeat(2000));
    expect(await send()).toEqual({ status: 200, body: 'a'.repeat(500) });
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      ...{ rule: 'one', what: 'failed', title: 'github failed' },
      servers: [{ name: 'github', since: '2027-01-15T08:00:00.000Z' }],
    });
    expect(clock.pending).toBe(0);
  });

  it('that answers 500 has not got it', async () => {
    receiver.answer = (response) => response.writeHead(500).end('no room');
    expect(await send()).toEqual({ status: 500, body: 'no room', error: 'It answered 500.' });
  });

  it('that does not answer is given up after 5 s', async () => {
    receiver.answer = () => undefined;
    const sending = send();
    await arrived(1);
    await clock.advance(5000);
    expect(await sending).toEqual({ error: 'It did not answer within 5 s.' });
  });

  it('that is down is told without its address', async () => {
    const { url } = receiver;
    await receiver.close();
    expect(await send(url)).toEqual({ error: 'Nothing listens at its address.' });
    expect(await send('ftp://example.org/')).toEqual({ error: 'Its address is neither http nor https.' });
    receiver = await openReceiver();
  });

  it('may redirect within its host, and nowhere else', async () => {
    const other = await openReceiver();
    const to = (location: string) => {
      receiver.answer = (response, { path }) =>
        path === '/there' ? response.end('here') : response.writeHead(307, { location }).end();
    };
    to('/there');
    expect(await send()).toEqual({ status: 200, body: 'here' });
    expect(receiver.received.map(({ path, body }) => [path, body.length > 0])).toEqual([
      ['/hook/4f9c2a77', true],
      ['/there', true],
    ]);
    to(other.url);
    expect(await send()).toEqual({
      status: 307,
      error: `It redirects to another host, ${new URL(other.url).host}, to which nothing was sent.`,
    });
    to('/again');
    expect(await send()).toEqual({ status: 307, error: 'It redirects too many times.' });
    expect(other.received).toEqual([]);
    await other.close();
  });
});

describe('the templates', () => {
  const hostile = alert('github', '<!channel> @everyone & more\n'.repeat(200));

  it('put title and text where ntfy, Slack and Discord look for them', () => {
    const ntfy = webhookRequest('ntfy', alert('github', 'it is\nover'));
    expect(ntfy.headers).toMatchObject({ title: 'github failed', priority: 'high' });
    expect(ntfy.body).toMatch(/^github, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d: it is over$/);
    expect(read(webhookRequest('slack', alert('github')).body).text).toMatch(
      /^\*github failed\*\ngithub, since/,
    );
  });

  it('keep the words of a server short, and let them call on nobody', () => {
    expect(webhookRequest('slack', hostile).body).toContain('&lt;!channel&gt; @everyone &amp; more');
    const discord = read(webhookRequest('discord', hostile).body);
    expect(discord).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(discord.content.length).toBeLessThan(500);
  });
});

describe('the queue', () => {
  const unsent: { names: string[]; reason: string; status?: number | undefined }[] = [];
  let queue: AlertQueue;
  beforeEach(() => {
    unsent.length = 0;
    queue = new AlertQueue({
      clock,
      send: (one, signal) => post({ clock, openHttp }, receiver.url, webhookRequest('json', one), signal),
      onUnsent: (alerts, why) =>
        unsent.push({ names: alerts.flatMap(({ servers }) => servers.map(({ name }) => name)), ...why }),
    });
  });

  afterEach(() => queue.dispose());

  it('tries three times with growing pauses, and then tells', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    queue.add(alert('github'));
    await arrived(1);
    await until(() => expect(clock.pending).toBe(1));
    await clock.advance(4999);
    expect(receiver.received).toHaveLength(1);
    await clock.advance(1);
    await arrived(2);
    await until(() => expect(clock.pending).toBe(1));
    await clock.advance(29_999);
    expect(receiver.received).toHaveLength(2);
    await clock.advance(1);
    await arrived(3);
    await until(() =>
      expect(unsent).toEqual([{ names: ['github'], reason: 'It answered 500.', status: 500 }]),
    );
    expect(queue.size).toBe(0);
  });

  it('sends what waited once the receiver is back', async () => {
    receiver.answer = (response) => response.writeHead(503).end();
    for (const name of ['one', 'two']) queue.add(alert(name));
    await arrived(1);
    await until(() => expect(clock.pending).toBe(1));
    receiver.answer = (response) => response.end();
    await clock.advance(5000);
    await arrived(3);
    expect(receiver.received.map(({ body }) => read(body).title)).toEqual([
      ...['one failed', 'one failed', 'two failed'],
    ]);
    expect(unsent).toEqual([]);
  });

  it('holds a hundred alerts, and counts the oldest that give way', async () => {
    const held: (() => void)[] = [];
    receiver.answer = (response) => held.push(() => response.end());
    for (let index = 0; index < MAX_WAITING + 3; index += 1) queue.add(alert(`server-${index}`));
    expect(queue.size).toBe(MAX_WAITING);
    await arrived(1);
    receiver.answer = (response) => response.end();
    held[0]!();
    await until(() => expect(queue.size).toBe(0));
    expect(receiver.received).toHaveLength(MAX_WAITING);
    expect(unsent).toEqual([
      { names: ['server-1', 'server-2', 'server-3'], reason: 'More than 100 alerts waited to be sent.' },
    ]);
  });

  it('tells what it has not sent when the panel ends, and lets its request go', async () => {
    receiver.answer = () => undefined;
    for (const name of ['one', 'two']) queue.add(alert(name));
    await arrived(1);
    queue.dispose();
    expect(unsent).toEqual([{ names: ['one', 'two'], reason: 'The panel was quit before.' }]);
    await until(() => expect(clock.pending).toBe(0));
  });
});
