import { Alerts } from '../alerts/alerts.ts';
import { replaceReferences, secretReferencesIn } from '../secrets/references.ts';
import { unknownSecret } from '../secrets/secret-store.ts';
import { createHttpClient } from '../supervisor/remote/http-client.ts';
import type { PanelBase } from './panel-base.ts';
import type { Views } from './views.ts';
import type { FiguresParts } from './wire-figures.ts';

/** Connects the alerts with what they look at. */
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

/** The server of a replica's output, `name#2`. */
const serverOf = (output: string): string => output.split('#')[0] ?? output;
