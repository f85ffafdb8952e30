import type { Webhook } from '../../../shared/alerts.ts';
import { bodyText, type Alert } from './alert-words.ts';

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Maximum length of content that Discord accepts, in characters. */
const MAX_DISCORD = 2000;

const json = (value: object): WebhookRequest => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

const requests: Readonly<Record<Webhook['template'], (alert: Alert) => WebhookRequest>> = {
  json: (alert) => {
    const { rule, what, title, servers, at } = alert;
    return json({
      app: 'MCP Control Panel',
      ...{ rule, what, title, text: bodyText(alert), at: isoTime(at) },
      servers: servers.map((server) => ({ ...server, since: isoTime(server.since) })),
    });
  },
  ntfy: (alert) => ({
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      // Safe in a header: the title contains only names of servers and the panel's own text, which are ASCII.
      title: alert.title,
      priority: alert.what === 'failed' ? 'high' : 'default',
      tags: alert.what === 'test' ? 'white_check_mark' : 'warning',
    },
    body: bodyText(alert),
  }),
  slack: (alert) => json({ text: `*${forSlack(alert.title)}*\n${forSlack(bodyText(alert))}` }),
  discord: (alert) =>
    json({
      content: `**${alert.title}**\n${bodyText(alert)}`.slice(0, MAX_DISCORD),
      // A server's text must not mention (notify) users.
      allowed_mentions: { parse: [] },
    }),
};

export const webhookRequest = (template: Webhook['template'], alert: Alert): WebhookRequest =>
  requests[template](alert);

const isoTime = (at: number): string => new Date(at).toISOString();

/** Escapes the characters that Slack reads as markup: https://docs.slack.dev/messaging/formatting-message-text */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
