import type { AlertChannel, AlertsView, Webhook } from '../../../../shared/alerts.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { alertsCalls } from '../../../../shared/ipc/topics/alerts.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { Alerts } from '../../alerts/alerts.ts';
import { compilePattern } from '../../alerts/log-patterns.ts';
import { webhookUrl } from '../../alerts/post.ts';
import { replaceReferences, secretReferencesIn } from '../../secrets/references.ts';
import { unknownSecret, type SecretStore } from '../../secrets/secret-store.ts';
import { createHttpClient } from '../../supervisor/remote/http-client.ts';
import type { OpenedFiles } from '../open-files.ts';
import type { PanelBase } from '../panel-base.ts';
import type { Views } from '../views.ts';
import type { FiguresParts } from '../wire-figures.ts';

/** Name of the secret that contains the URL of the webhook. */
const URL_SECRET = 'ALERT_WEBHOOK_URL';
const URL_REFERENCE = `\${secret:${URL_SECRET}}`;

/** Requests of the app window about alert rules and about the channel through which alerts are sent. */
export function alertsTopic(
  alerts: Alerts,
  { secrets: store, settings: file }: Pick<OpenedFiles, 'secrets' | 'settings'>,
) {
  const current = () => file.current.settings.alerts;
  return {
    get: () => {
      const { rules, quietHours, webhook } = current();
      return {
        rules,
        ...(quietHours && { quietHours }),
        ...(webhook && { webhook: shownWebhook(webhook) }),
        waiting: alerts.waiting,
        unsent: alerts.unsent,
      };
    },
    /** Saves the alert rules. @throws CONFIG_INVALID for a pattern that cannot be parsed; as `SettingsFile.update` */
    putRules: async (rules) => {
      for (const [index, { pattern }] of rules.entries()) {
        const compiled = pattern === undefined ? undefined : await compilePattern(pattern);
        if (compiled?.kind === 'invalid')
          throw invalid(
            `The pattern "${pattern}" cannot be used: ${compiled.problem}.`,
            `rules.${index}.pattern`,
          );
      }
      await file.update({ alerts: { rules } });
    },
    /** Saves the webhook and the quiet hours. @throws CONFIG_INVALID for an invalid URL; as `SettingsFile.update` */
    putChannel: async ({ webhook, quietHours }) => {
      const kept = webhook && (await keptWebhook(webhook, current().webhook?.url, store));
      await file.update({
        alerts: {
          ...(webhook !== undefined && { webhook: kept }),
          ...(quietHours !== undefined && { quietHours }),
        },
      });
      const isUnused = current().webhook?.url !== URL_REFERENCE && store.get(URL_SECRET) !== undefined;
      if (isUnused) await store.remove([URL_SECRET]);
    },
    /** Sends a test alert for a rule. @throws CONFIG_INVALID for an unknown rule */
    test: async (id) => {
      const told = await alerts.test(id);
      if (told === undefined) throw invalid(`There is no rule "${id}".`, 'id');
      return told;
    },
  } satisfies CallAnswers<typeof alertsCalls>;
}

/** Returns the webhook for settings.json. If secrets can be stored, the URL is stored as one and replaced by a reference. */
async function keptWebhook(
  { url: given, template }: NonNullable<AlertChannel['webhook']>,
  urlBefore: string | undefined,
  store: SecretStore,
) {
  const url = given ?? urlBefore;
  if (url === undefined) throw invalid('The webhook needs a URL.', 'webhook.url');
  if (secretReferencesIn(url).length > 0) return { url, template };
  try {
    webhookUrl(url);
  } catch (error) {
    throw invalid(messageOf(error), 'webhook.url');
  }
  const isKept = await store.put(new Map([[URL_SECRET, url]])).then(
    () => true,
    () => false,
  );
  return { url: isKept ? URL_REFERENCE : url, template };
}

/** Returns the webhook for display. Of a plain-text URL, only the origin is shown: its path may be secret, as with Slack. */
function shownWebhook({ url, template }: Webhook): AlertsView['webhook'] {
  const isInPlainText = secretReferencesIn(url).length === 0;
  return { url: isInPlainText ? originOf(url) : url, template, isInPlainText };
}

function originOf(url: string): string {
  try {
    return webhookUrl(url).origin;
  } catch {
    return '';
  }
}

const invalid = (message: string, path: string): PanelError =>
  new PanelError('CONFIG_INVALID', message, { data: { path } });

/** Creates the alerts and subscribes them to the events, log lines and server changes that they watch. */
export function wireAlerts(
  { options, files, signals }: PanelBase,
  { calls }: Pick<FiguresParts, 'calls'>,
  views: Views,
): Alerts {
  const { clock, wallClock } = options;
  const { journal, secrets, settings } = files;
  const alerts = new Alerts({
    ...{ clock, wallClock },
    openHttp: () => createHttpClient({ tls: { verify: true, extraRoots: [] } }),
    settings: () => settings.current.settings.alerts,
    servers: () => views.all(),
    view: (name) => views.of(name),
    callMinutes: (name, since) => calls.since(name, since),
    resolve: (text) => {
      const url = replaceReferences(text, secretReferencesIn(text), ({ name }) => {
        const value = secrets.get(name);
        if (value === undefined) throw unknownSecret(name);
        return value;
      });
      journal.setDeclared([url]);
      return url;
    },
    redact: (text) => journal.redactOnce(text),
    logEvent: (server, detail) => journal.append(server, 'alert-failed', detail),
  });
  journal.onEvent((event) => alerts.eventHappened(event));
  journal.lineWritten.subscribe(({ output, text }) => alerts.lineWritten(serverOf(output), text));
  signals.serverChanged.subscribe((name) => alerts.serverChanged(name));
  signals.serverRemoved.subscribe((name) => alerts.serverRemoved(name));
  signals.settingsChanged.subscribe(() => alerts.settingsChanged());
  return alerts;
}

/** Returns the server to which an output belongs. The output of a replica is named `name#2`. */
const serverOf = (output: string): string => output.split('#')[0] ?? output;
