import type { ServerView, Snapshot } from '../../../shared/domain.ts';
import type { ChangedToolsView } from '../../../shared/offered-tools.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import { redactView } from '../supervisor/server-view.ts';
import { hasFigures } from '../telemetry/server-telemetry.ts';
import type { PanelBase } from './panel-base.ts';
import type { FiguresParts } from './wire-figures.ts';
import type { ServersParts } from './wire-servers.ts';

export type Views = ReturnType<typeof serverViews>;

/** Returns functions that create the views of servers for the app window: state and measured values, with secrets redacted. */
export function serverViews(
  { files: { consents, journal } }: PanelBase,
  { fleet, sessions, signInOf }: Pick<ServersParts, 'fleet' | 'sessions' | 'signInOf'>,
  { calls, telemetry, trends, troubles }: Pick<FiguresParts, 'calls' | 'telemetry' | 'trends' | 'troubles'>,
  changedToolsOf: (config: ServerConfig) => ChangedToolsView | undefined,
) {
  const redact = (text: string) => journal.redactText(text);
  const viewOf = (supervisor: ServerSupervisor): ServerView => {
    const { config, name } = supervisor;
    const view = supervisor.view();
    const consent = consents.question(name);
    const signIn = signInOf(config);
    const changedTools = changedToolsOf(config);
    const sample = telemetry.latest(name);
    const trend = trends.of(name);
    const recentCalls = calls.recent(name);
    return {
      ...redactView(view, redact),
      ...troubles.of(view),
      ...sessions.count(config),
      ...(sample && hasFigures(supervisor) && { sample }),
      ...(recentCalls && { recentCalls }),
      ...(trend && { trend }),
      ...(consent && { consent }),
      ...(signIn && { signIn }),
      ...(changedTools && { changedTools }),
    };
  };
  return {
    /** Returns all servers, in the order of the configuration. */
    all: (): Snapshot['servers'] => fleet.supervisors.map(viewOf),
    /** Returns one server; undefined if there is none with this name. */
    of: (name: string): ServerView | undefined => {
      const supervisor = fleet.find(name);
      return supervisor && viewOf(supervisor);
    },
  };
}
