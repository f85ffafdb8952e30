import type { ServerView, Snapshot } from '../../../shared/domain.ts';
import type { ConsentView } from '../../../shared/consent.ts';
import type { ChangedToolsView } from '../../../shared/offered-tools.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { SignInView } from '../../../shared/sign-in.ts';
import type { Fleet } from '../supervisor/fleet.ts';
import type { SupervisedSessions } from '../sessions/supervised-sessions.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import { redactView } from '../supervisor/server-view.ts';
import type { TrendBook } from '../story/trend-book.ts';
import type { TroubleBook } from '../story/trouble-book.ts';
import type { CallBook } from '../telemetry/calls/call-book.ts';
import { hasFigures, type ServerTelemetry } from '../telemetry/server-telemetry.ts';

export interface ViewsOptions {
  readonly fleet: Fleet;
  readonly sessions: SupervisedSessions<ServerSupervisor>;
  readonly telemetry: ServerTelemetry;
  readonly calls: CallBook;
  readonly trends: TrendBook;
  readonly troubles: TroubleBook;
  readonly question: (name: string) => ConsentView | undefined;
  readonly signInOf: (config: ServerConfig) => SignInView | undefined;
  readonly changedTools: (config: ServerConfig) => ChangedToolsView | undefined;
  readonly redact: (text: string) => string;
}

/** Views of servers for the user: with their figures, and redacted. */
export class Views {
  readonly #options: ViewsOptions;

  constructor(options: ViewsOptions) {
    this.#options = options;
  }

  /** All servers, in the order of the configuration. */
  all(): Snapshot['servers'] {
    return this.#options.fleet.supervisors.map((supervisor) => this.#viewOf(supervisor));
  }

  /** One server; undefined for an unknown name. */
  of(name: string): ServerView | undefined {
    const supervisor = this.#options.fleet.find(name);
    return supervisor && this.#viewOf(supervisor);
  }

  #viewOf(supervisor: ServerSupervisor): ServerView {
    const {
      calls,
      changedTools: changedOf,
      question,
      redact,
      signInOf,
      sessions,
      telemetry,
      trends,
      troubles,
    } = this.#options;
    const view = supervisor.view();
    const consent = question(supervisor.name);
    const signIn = signInOf(supervisor.config);
    const changedTools = changedOf(supervisor.config);
    const sample = telemetry.latest(supervisor.name);
    const trend = trends.of(supervisor.name);
    const recentCalls = calls.recent(supervisor.name);
    return {
      ...redactView(view, redact),
      ...troubles.of(view),
      ...sessions.count(supervisor.config),
      ...(sample && hasFigures(supervisor) && { sample }),
      ...(recentCalls && { recentCalls }),
      ...(trend && { trend }),
      ...(consent && { consent }),
      ...(signIn && { signIn }),
      ...(changedTools && { changedTools }),
    };
  }
}
