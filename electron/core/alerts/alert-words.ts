import type { AlertRule } from '../../../shared/alerts.ts';
import { cutText } from '../../../shared/cut-text.ts';

/** A server that an alert is about. */
export interface AlertedServer {
  readonly name: string;
  /** Epoch ms at which the condition began. */
  readonly since: number;
  readonly detail?: string | undefined;
}

/** Alert of one rule, for all servers for which it is due at the same time. */
export interface Alert {
  readonly rule: string;
  readonly what: AlertRule['what'] | 'test';
  /** Epoch ms. */
  readonly at: number;
  readonly title: string;
  readonly servers: readonly AlertedServer[];
}

/** Maximum length of a server's text in an alert. */
const MAX_DETAIL = 300;
/** Maximum number of servers that are listed with their details. */
const MAX_LINES = 10;

/** Predicates of the alert's title, for one server and for several. */
const predicates: Readonly<Record<AlertRule['what'], readonly [one: string, several: string]>> = {
  failed: ['failed', 'failed'],
  unstable: ['is unstable', 'are unstable'],
  limit: ['is over a limit', 'are over a limit'],
  trend: ['needs more memory every day', 'need more memory every day'],
  errors: ['fails many calls', 'fail many calls'],
  log: ['wrote a line that you wait for', 'wrote lines that you wait for'],
};

export function alertOf(rule: AlertRule, servers: readonly AlertedServer[], at: number): Alert {
  const [one, several] = predicates[rule.what];
  const [first] = servers;
  const title =
    servers.length === 1 && first ? `${first.name} ${one}` : `${servers.length} servers ${several}`;
  return { rule: rule.id, what: rule.what, at, title, servers };
}

export const testAlertOf = (rule: string, at: number): Alert => ({
  rule,
  what: 'test',
  at,
  title: 'Test alert of MCP Control Panel',
  servers: [],
});

/**
 * Names of the affected servers, without details, for desktop notifications, because other people may see the screen. Empty for
 * one server, which the title already names.
 */
export const namesText = ({ servers }: Alert): string =>
  servers.length > 1 ? servers.map(({ name }) => name).join(', ') : '';

/** Returns one line for each server. */
export function bodyText({ what, servers }: Alert): string {
  if (what === 'test') return 'If you can read this, alerts arrive here.';
  const lines = servers.slice(0, MAX_LINES).map(({ name, since, detail }) => {
    const begin = `${name}, since ${new Date(since).toLocaleString('sv-SE')}`;
    return detail === undefined ? begin : `${begin}: ${oneLine(detail)}`;
  });
  const left = servers.length - lines.length;
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

function oneLine(detail: string): string {
  return cutText(
    detail
      .slice(0, 4 * MAX_DETAIL)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    MAX_DETAIL,
    'end',
  ).text;
}
