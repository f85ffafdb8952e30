// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { AlertChannel, AlertRule, AlertsView, AlertTest } from '../../../shared/alerts.ts';
import { AlertsSection } from '../../../renderer/settings/alerts-section.tsx';
import { aServer } from '../builders.ts';
import { button, press, showView, tick, type } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

const aRule: AlertRule = {
  ...{ id: 'failed', what: 'failed', servers: ['github'], lastsMinutes: 5, to: ['webhook'], repeatHours: 1 },
};

async function show(changes: Partial<AlertsView> = {}, tested: AlertTest = { status: 200, body: 'ok' }) {
  const put: { rules: AlertRule[][]; channels: AlertChannel[] } = { rules: [], channels: [] };
  const view = { rules: [], waiting: 0, unsent: [], ...changes };
  const services = servicesWith(
    {
      getAlerts: () => Promise.resolve(view),
      putAlertRules: (rules) => Promise.resolve(void put.rules.push(rules)),
      putAlertChannel: (channel) => Promise.resolve(void put.channels.push(channel)),
      testAlert: () => Promise.resolve(tested),
    },
    { servers: [aServer('github')] },
  );
  await showView(services, <AlertsSection />);
  return put;
}

describe('the settings of alerts', () => {
  it('show each rule in words, test it, change it and remove it', async () => {
    const put = await show({ rules: [aRule] });
    expect(screen.getByRole('list', { name: 'Rules' }).textContent).toContain(
      'A server failed github · for 5 minutes · webhook · again every 1 hour',
    );
    await press('Test A server failed');
    expect(screen.getByRole('status').textContent).toBe('Arrived: it answered 200. Its answer: ok');
    await press('Change A server failed');
    await type('Servers', '');
    await type('Only if it lasts', '10');
    await press('Save');
    expect(put.rules).toEqual([[{ ...aRule, servers: 'all', lastsMinutes: 10 }]]);
    await press('Remove A server failed');
    expect(put.rules.at(-1)).toEqual([]);
  });

  it('add a rule once all of it can be used', async () => {
    const put = await show({ rules: [aRule] });
    await press('Add a rule…');
    await type('When', 'log');
    expect(button('Add').disabled).toBe(true);
    await type('Pattern', 'disk full');
    await type('Servers', 'gone');
    expect(screen.getByText('There is no server gone.')).toBeDefined();
    expect(button('Add').disabled).toBe(true);
    await type('Servers', 'github');
    await tick('To the webhook');
    await press('Add');
    expect(put.rules).toEqual([
      [
        aRule,
        {
          ...{ id: 'log', what: 'log', pattern: 'disk full', servers: ['github'] },
          ...{ lastsMinutes: 0, repeatHours: 0, to: ['desktop', 'webhook'] },
        },
      ],
    ]);
  });

  it('replace the webhook without ever showing its URL, and say where it is readable', async () => {
    const webhook = { url: 'https://hooks.slack.com', template: 'slack', isInPlainText: true } as const;
    const put = await show({ webhook }, { status: 500, error: 'It answered 500.' });
    const form = within(screen.getByRole('form', { name: 'Webhook' }));
    expect(form.getByText(/is readable in settings\.json/)).toBeDefined();
    await type('Format', 'ntfy');
    await press('Save webhook');
    await type('URL', ' https://ntfy.sh/mine ');
    await press('Save webhook');
    await press('Remove webhook');
    expect(put.channels).toEqual([
      { webhook: { template: 'ntfy' } },
      { webhook: { url: 'https://ntfy.sh/mine', template: 'slack' } },
      { webhook: null },
    ]);
    await press('Test webhook');
    expect(screen.getByRole('status').textContent).toBe('It answered 500.');
  });

  it('save quiet hours that are whole, and none that are not', async () => {
    const put = await show();
    await type('From', '22:00');
    await act(async () => fireEvent.blur(screen.getByLabelText('From')));
    await type('To', '7');
    expect(screen.getByText('Expected a time such as 22:00.')).toBeDefined();
    await act(async () => fireEvent.blur(screen.getByLabelText('To')));
    expect(put.channels).toEqual([]);
    await type('To', '07:00');
    await act(async () => fireEvent.blur(screen.getByLabelText('To')));
    expect(put.channels).toEqual([{ quietHours: { from: '22:00', to: '07:00' } }]);
  });

  it('tell what was not sent', async () => {
    const one = { at: 0, rule: 'failed', what: 'failed', reason: 'It answered 500.', count: 3 };
    await show({ unsent: [one] });
    expect(screen.getByRole('region', { name: 'Not sent' }).textContent).toMatch(
      /failed · 3 alerts · It answered 500\.$/,
    );
  });
});
