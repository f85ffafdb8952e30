import { ownContainerRunOf } from '../../../shared/container-run.ts';
import { workloadPlaceOf } from '../../../shared/panel-settings.ts';
import { nameOfPlace, workloadWords } from '../../../shared/run-host.ts';
import type { ServerView } from '../../../shared/domain.ts';
import type { ErrorReport } from '../../../shared/error-codes.ts';
import { mapErrorData } from '../../../shared/error-data.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { maskedTarget } from '../journal/config-secrets.ts';
import type { RestartTracker } from './restart/restart-tracker.ts';
import type { ServerRuns } from './server-runs.ts';
import type { Run } from './run/run.ts';
import { redactState } from './state-reason.ts';

interface SupervisorFacts {
  readonly configured: ConfiguredView;
  readonly state: ServerView['state'];
  readonly generation: number;
  readonly run: Run | undefined;
  /** What is shown about the run that is up; undefined if no run is up. */
  readonly up: ServerRuns['upView'];
  readonly restarts: RestartTracker;
  readonly lastError: ErrorReport | undefined;
  /** Memory in bytes that its processes used before it fell asleep. */
  readonly heldBytes: number | undefined;
}

/** Part of a server's view that depends only on its configuration. */
type ConfiguredView = ReturnType<typeof configuredView>;

/**
 * Returns a function that computes the part of a server's view that depends on its configuration. The function computes it
 * again only if the configuration has changed, because the view is read every second and most of the time would be spent on
 * masking secrets.
 */
export function keepConfiguredView(): (config: ServerConfig) => ConfiguredView {
  let last: { readonly config: ServerConfig; readonly view: ConfiguredView } | undefined;
  return (config) => {
    if (last?.config !== config) last = { config, view: configuredView(config) };
    return last.view;
  };
}

function configuredView(config: ServerConfig) {
  return {
    name: config.name,
    transport: config.transport,
    autoStart: config.panel.autoStart,
    ...(!config.enabled && { disabled: true }),
    target: maskedTarget(config),
    ...(isUnverified(config) && { isTlsUnverified: true as const }),
    maxRestartAttempts: config.panel.restart.maxRestartAttempts,
    limits: pickLimits(config),
    ...hostOf(config),
  };
}

/** Returns a server as shown in the app window and the tray, without its process tree's figures. */
export function describeServer(facts: SupervisorFacts): Omit<ServerView, 'sample'> {
  const { configured, run, up, restarts, lastError, heldBytes } = facts;
  const serverInfo = up && run?.connection?.serverInfo;
  return {
    ...configured,
    state: facts.state,
    generation: facts.generation,
    ...(run?.pid !== undefined && { pid: run.pid }),
    ...(run?.host && { host: run.host }),
    restartAttempt: restarts.attempts,
    restartsTotal: restarts.restartsTotal,
    ...up,
    ...(serverInfo && { serverInfo }),
    ...(lastError && { lastError }),
    ...(facts.state.kind === 'asleep' && { asleep: heldBytes === undefined ? {} : { heldBytes } }),
  };
}

/** Returns the view with all texts that come from users and servers passed through `redact`. */
export function redactView<V extends Omit<ServerView, 'sample'>>(
  view: V,
  redact: (text: string) => string,
): V {
  const { state, busy, host, serverInfo, lastError } = view;
  return {
    ...view,
    target: redact(view.target),
    state: redactState(state, redact),
    ...(host?.pods !== undefined && { host: { ...host, pods: redact(host.pods) } }),
    ...(busy?.oldest !== undefined && { busy: { ...busy, oldest: redact(busy.oldest) } }),
    ...(serverInfo && {
      serverInfo: { name: redact(serverInfo.name), version: redact(serverInfo.version) },
    }),
    ...(lastError && { lastError: redactError(lastError, redact) }),
  };
}

function redactError(error: ErrorReport, redact: (text: string) => string): ErrorReport {
  const { message, remedy, causeLines, data } = error;
  return {
    ...error,
    message: redact(message),
    ...(remedy !== undefined && { remedy: redact(remedy) }),
    ...(causeLines && { causeLines: causeLines.map(redact) }),
    ...(data && { data: mapErrorData(data, redact) }),
  };
}

/** Returns where the server will run, according to its entry. */
function hostOf(config: ServerConfig): Pick<ServerView, 'host'> {
  const place = workloadPlaceOf(config.panel.runOn);
  if (place) return { host: { kind: 'pod', engine: nameOfPlace(place), workload: workloadWords(place) } };
  if (config.transport !== 'stdio') return {};
  const engine = ownContainerRunOf(config.command, config.args)?.engine;
  const { runOn } = config.panel;
  if (runOn) {
    const kind = runOn.engine === 'kubernetes' ? 'pod' : 'container';
    return { host: { kind, engine: nameOfPlace(runOn) } };
  }
  return { host: engine === undefined ? { kind: 'process' } : { kind: 'container', engine } };
}

function pickLimits({ panel }: ServerConfig): ServerView['limits'] {
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = panel.limits;
  return { maxMemoryMiB, maxCpuPercent, maxOpenFiles };
}

/** Whether the server's certificate is not verified. False for plain HTTP, which has no certificate. */
function isUnverified(config: ServerConfig): boolean {
  return config.transport !== 'stdio' && config.tls?.verify === false && config.url.startsWith('https:');
}
