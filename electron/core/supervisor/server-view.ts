import type { ServerView } from '../../../shared/domain.ts';
import type { ErrorReport } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { redactUrl } from './remote/redact-url.ts';
import type { RestartTracker } from './restart/restart-tracker.ts';
import type { RunWatch } from './run/run-watch.ts';
import type { Run } from './run/server-run.ts';

export interface SupervisorFacts {
  readonly config: ServerConfig;
  readonly state: ServerView['state'];
  readonly generation: number;
  readonly run: Run | undefined;
  readonly isUp: boolean;
  readonly watch: RunWatch | undefined;
  readonly restarts: RestartTracker;
  readonly runningSince: number | undefined;
  readonly lastError: ErrorReport | undefined;
}

/** A server as the window and the tray are shown it, without the figures of its process tree. */
export function describeServer(facts: SupervisorFacts): Omit<ServerView, 'sample'> {
  const { config, run, watch, restarts, runningSince, lastError } = facts;
  const serverInfo = facts.isUp ? run?.connection?.serverInfo : undefined;
  return {
    name: config.name,
    transport: config.transport,
    autoStart: config.panel.autoStart,
    ...(!config.enabled && { disabled: true }),
    target: targetOf(config),
    state: facts.state,
    generation: facts.generation,
    ...(run?.pid !== undefined && { pid: run.pid }),
    restartAttempt: restarts.attempts,
    maxRestartAttempts: config.panel.restart.maxRestartAttempts,
    restartsTotal: restarts.restartsTotal,
    ...(runningSince !== undefined && { runningSince }),
    ...watch?.view(),
    ...(serverInfo && { serverInfo }),
    ...(lastError && { lastError }),
    limits: pickLimits(config),
  };
}

/** The same with every text that a person wrote or a server said passed through `redact`. */
export function redactView<V extends Omit<ServerView, 'sample'>>(
  view: V,
  redact: (text: string) => string,
): V {
  const { state, busy, lastError } = view;
  return {
    ...view,
    target: redact(view.target),
    state: redactState(state, redact),
    ...(busy?.oldest !== undefined && { busy: { ...busy, oldest: redact(busy.oldest) } }),
    ...(lastError && { lastError: { ...lastError, message: redact(lastError.message) } }),
  };
}

/** The same state for another reason. */
export function withReason(
  { reason: _, ...state }: ServerView['state'],
  reason: string | undefined,
): ServerView['state'] {
  return reason === undefined ? state : { ...state, reason };
}

export function redactState(
  state: ServerView['state'],
  redact: (text: string) => string,
): ServerView['state'] {
  return state.reason === undefined ? state : { ...state, reason: redact(state.reason) };
}

function pickLimits({ panel }: ServerConfig): ServerView['limits'] {
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = panel.limits;
  return { maxMemoryMiB, maxCpuPercent, maxOpenFiles };
}

/** What is run or reached, without environment and headers, which may hold secrets. */
function targetOf(config: ServerConfig): string {
  return config.transport === 'stdio' ? [config.command, ...config.args].join(' ') : redactUrl(config.url);
}
