import type { AlertRule, AlertTest, UnsentAlert, Webhook } from '../../shared/alerts.ts';
import { formatPlural } from './figures.ts';
import { formatMoment } from './moments.ts';

/** Labels of the conditions that a rule can have, for a form. */
export const alertChoices: Readonly<Record<AlertRule['what'], string>> = {
  failed: 'A server failed',
  unstable: 'A server is unstable',
  limit: 'A server is over a limit',
  trend: 'Memory grows from day to day',
  errors: 'Many calls fail',
  log: 'A log line matches',
};

export const templateChoices: Readonly<Record<Webhook['template'], string>> = {
  json: 'JSON',
  ntfy: 'ntfy',
  slack: 'Slack',
  discord: 'Discord',
};

/** Title of a rule: "More than 20 % of calls fail", "A log line matches disk full". */
export function ruleTitle({ what, share = 0, pattern = '' }: AlertRule): string {
  if (what === 'errors') return `More than ${share} % of calls fail`;
  return what === 'log' ? `${alertChoices.log} ${pattern}` : alertChoices[what];
}

/** Details of a rule: "github, search · for 5 minutes · desktop, webhook · again every 4 hours". */
export function ruleDetails({ servers, lastsMinutes, to, repeatHours }: AlertRule): string {
  return [
    servers === 'all' ? 'all servers' : servers.join(', '),
    lastsMinutes > 0 && `for ${formatPlural(lastsMinutes, 'minute')}`,
    to.length === 0 ? 'sent nowhere' : to.join(', '),
    repeatHours > 0 && `again every ${formatPlural(repeatHours, 'hour')}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Outcome of a test alert in one line. */
export function testText({ status, error, body }: AlertTest): string {
  if (status === undefined) return error ?? 'Shown on the desktop.';
  const answer = body ? ` Its answer: ${body}` : '';
  return `${error ?? `Arrived: it answered ${status}.`}${answer}`;
}

/** One line about alerts that were not sent. */
export const unsentText = ({ at, what, reason, count }: UnsentAlert): string =>
  [formatMoment(at), what, count > 1 && formatPlural(count, 'alert'), reason].filter(Boolean).join(' · ');
