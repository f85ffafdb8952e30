import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AlertRule } from '../../../shared/alerts.ts';
import type { AskKeyring } from '../../../electron/core/secrets/store-key.ts';
import { fixtureServer, tinyServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { openReceiver, type Receiver } from '../alerts/receiver.ts';
import type { TestPanel } from './open-test-panel.ts';
import { panelOfTest } from './panel-of-test.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
  onTestFinished(() => receiver.close());
});

function keyring(): AskKeyring {
  const values = new Map<string, string>();
  return (question) => {
    if (question.kind === 'write') values.set(question.account, question.value);
    const value = values.get(question.account);
    return Promise.resolve(value === undefined ? { kind: 'none' } : { kind: 'found', value });
  };
}

const rule = (changes: Partial<AlertRule>): AlertRule => ({
  ...{ id: changes.what ?? 'failed', what: 'failed', servers: 'all', lastsMinutes: 0, repeatHours: 0 },
  to: ['webhook'],
  ...changes,
});

const missing = { command: 'no-such-command-4711', panel: { restart: { enabled: false } } };

async function open(servers: Record<string, object>, askKeyring?: AskKeyring): Promise<TestPanel> {
  const opened = await panelOfTest(servers, askKeyring && { askKeyring });
  opened.panel.start();
  return opened;
}

const until = (describe: string, check: () => boolean) => waitUntil(check, { deadlineMs: 20_000, describe });
const titles = () => receiver.received.map(({ body }) => (JSON.parse(body) as { title: string }).title);
const settingsOf = ({ home }: TestPanel) => readFileSync(join(home, 'settings.json'), 'utf8');

describe('alerts of a panel', () => {
  it('go to the webhook for what the rules name, once, with the URL as a secret', async () => {
    const opened = await open(
      { broken: missing, chatty: fixtureServer('--stderr-text=ERROR 17 disk is full'), well: tinyServer() },
      keyring(),
    );
    const { alerts } = opened.panel;
    await alerts.putChannel({ webhook: { url: receiver.url, template: 'json' } });
    await alerts.putRules([rule({}), rule({ what: 'log', pattern: 'error \\d+', servers: ['chatty'] })]);
    await opened.panel.servers.restart('chatty');
    await until('both alerts', () => receiver.received.length === 2);
    expect(titles().sort()).toEqual(['broken failed', 'chatty wrote a line that you wait for']);
    expect(receiver.received.some(({ body }) => body.includes('ERROR 17 disk is full'))).toBe(true);
    expect(alerts.get()).toMatchObject({
      webhook: { url: '${secret:ALERT_WEBHOOK_URL}', isInPlainText: false },
      unsent: [],
    });
    expect(settingsOf(opened)).not.toContain('4f9c2a77');

    await alerts.putChannel({ webhook: null });
    expect(opened.panel.secrets.list()).toEqual([]);
    expect(alerts.get().webhook).toBeUndefined();
  });

  it('are tested at once, and the answer is shown', async () => {
    const { panel } = await open({});
    await panel.alerts.putRules([rule({ id: 'mine', to: ['desktop', 'webhook'] })]);
    expect(await panel.alerts.test('mine')).toEqual({ error: 'No webhook is set.' });
    await panel.alerts.putChannel({
      webhook: { url: receiver.url, template: 'slack' },
      quietHours: { from: '00:00', to: '23:59' },
    });
    const shown: string[] = [];
    panel.onAlert(({ title }) => shown.push(title));
    expect(await panel.alerts.test('mine')).toEqual({ status: 200, body: 'thanks' });
    receiver.answer = (response) => response.writeHead(403).end(`no entry to ${receiver.url}`);
    const refused = await panel.alerts.test('webhook');
    expect(refused).toMatchObject({ status: 403, error: 'It answered 403.' });
    expect(refused.body).not.toContain('4f9c2a77');
    expect(shown).toEqual(['Test alert of MCP Control Panel']);
    await expect(panel.alerts.test('other')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('that are not sent stand in the journal and in the answer', async () => {
    const { panel, home } = await open({ broken: missing });
    receiver.answer = () => undefined;
    await panel.alerts.putChannel({ webhook: { url: receiver.url, template: 'json' } });
    await panel.alerts.putRules([rule({})]);
    // Without a keyring there is no secret, and a person is told so.
    expect(panel.alerts.get().webhook).toEqual({
      ...{ url: new URL(receiver.url).origin, template: 'json', isInPlainText: true },
    });
    await until('the alert', () => receiver.received.length === 1);
    expect(panel.alerts.get().waiting).toBe(1);
    await panel.dispose();
    expect(panel.alerts.get().unsent).toMatchObject([
      { rule: 'failed', what: 'failed', reason: 'The panel was quit before.', count: 1 },
    ]);
    const events = readFileSync(join(home, 'logs', 'events.jsonl'), 'utf8');
    const [told] = events.split('\n').filter((line) => line.includes('alert-failed'));
    expect(JSON.parse(told!)).toMatchObject({ server: 'broken', kind: 'alert-failed', detail: { count: 1 } });
    expect(events).not.toContain('4f9c2a77');
  });

  it('are refused where a rule cannot be followed', async () => {
    const { panel, home } = await open({});
    const lookAround = [rule({ what: 'log', pattern: '(?=x)' })];
    await expect(panel.alerts.putRules(lookAround)).rejects.toMatchObject({
      ...{ code: 'CONFIG_INVALID', data: { path: 'rules.0.pattern' } },
    });
    const webhook = { url: 'file:///etc/passwd', template: 'json' } as const;
    await expect(panel.alerts.putChannel({ webhook })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    const edited = { alerts: { rules: [{ id: 'one', what: 'log' }] }, theme: 'dark' };
    writeFileSync(join(home, 'settings.json'), JSON.stringify(edited));
    await until('the edit', () => panel.settings.current.theme === 'dark');
    expect(panel.alerts.get().rules).toEqual([]);
  });
});
