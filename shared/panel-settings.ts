import { z } from 'zod';
import { choiceBounds, numberBounds, type NumberPath } from './bounds.ts';

/** Returns the schema of a number with its bounds, but without its default. */
function figure(path: NumberPath) {
  const { min, max, isWhole } = numberBounds[path];
  return (isWhole ? z.number().int() : z.number()).min(min).max(max);
}

/** Milliseconds without use after which a stdio server is put to sleep; 0 means never. */
export const sleepAfterSchema = figure('sleepAfterMs');

const setting = (path: NumberPath) => figure(path).default(numberBounds[path].default);

/** Returns the schema of a choice between texts, with its default. */
const choice = <const V extends string>(bounds: { values: readonly [V, ...V[]]; default: NoInfer<V> }) =>
  z.enum(bounds.values).default(bounds.default);

/** Change of the health settings. Omitted fields keep their values. */
export const healthPatchSchema = z.strictObject({
  stallThresholdMs: z.optional(figure('health.stallThresholdMs')),
});
export type HealthPatch = z.infer<typeof healthPatchSchema>;

/** Check of a server that the user defined: a call of a tool, or a read of a resource, that shows whether the server works. */
const ownCheck = z
  .looseObject({
    tool: z.string().min(1).max(1000).optional(),
    arguments: z.record(z.string(), z.unknown()).optional(),
    /** URI of the resource to read. */
    resource: z.string().min(1).max(8192).optional(),
    everyMs: setting('health.check.everyMs'),
    /** Plain text that must occur in the response's text. */
    expect: z.string().min(1).max(8192).optional(),
    onFail: choice(choiceBounds['health.check.onFail']),
  })
  .superRefine(({ tool, resource, arguments: args }, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (tool === undefined && resource === undefined)
      refuse('tool', 'the name of a tool (or "resource" with a URI)');
    if (tool !== undefined && resource !== undefined) refuse('resource', 'nothing besides "tool"');
    if (tool === undefined && args !== undefined) refuse('arguments', 'nothing without "tool"');
  });
export type OwnCheckSettings = z.infer<typeof ownCheck>;

const health = z
  .looseObject({
    /** Silence in ms before a probe while calls are in flight; an idle server is probed after six times as long. */
    probeIntervalMs: setting('health.probeIntervalMs'),
    stallThresholdMs: setting('health.stallThresholdMs'),
    /** Milliseconds for which a server that uses the CPU may leave a probe unanswered. */
    workAllowanceMs: setting('health.workAllowanceMs'),
    onStall: choice(choiceBounds['health.onStall']),
    /** Reaction to a server that answered a probe during a call, but then sent nothing for twice the stall threshold. */
    onSuspect: choice(choiceBounds['health.onSuspect']),
    heartbeatLogs: z
      .union([z.literal('auto'), z.boolean()])
      .default(choiceBounds['health.heartbeatLogs'].default),
    check: ownCheck.optional(),
  })
  .prefault({});

/** Maximum time of a call without progress, in ms. */
export const callTimeoutMsSchema = figure('calls.timeoutMs');

const calls = z
  .looseObject({
    timeoutMs: setting('calls.timeoutMs'),
    /** Maximum total time of a call, in ms. */
    maxTotalMs: setting('calls.maxTotalMs'),
  })
  .prefault({});

const restart = z
  .looseObject({
    /** True if the server is restarted automatically. */
    enabled: z.boolean().default(choiceBounds['restart.enabled'].default),
    /** Maximum automatic starts since the last stable run. */
    maxRestartAttempts: setting('restart.maxRestartAttempts'),
    maxPerHour: setting('restart.maxPerHour'),
    initialBackoffMs: setting('restart.initialBackoffMs'),
    maxBackoffMs: setting('restart.maxBackoffMs'),
    stableAfterMs: setting('restart.stableAfterMs'),
    slowRetryMs: setting('restart.slowRetryMs'),
  })
  .prefault({});

/** Change of the limits. Omitted fields keep their values. */
export const limitPatchSchema = z.strictObject({
  maxMemoryMiB: z.optional(figure('limits.maxMemoryMiB')),
  maxCpuPercent: z.optional(figure('limits.maxCpuPercent')),
  maxOpenFiles: z.optional(figure('limits.maxOpenFiles')),
});
export type LimitPatch = z.infer<typeof limitPatchSchema>;

const limits = z
  .looseObject({
    maxMemoryMiB: setting('limits.maxMemoryMiB'),
    maxCpuPercent: setting('limits.maxCpuPercent'),
    maxOpenFiles: setting('limits.maxOpenFiles'),
    sustainedSamples: setting('limits.sustainedSamples'),
    onBreach: choice(choiceBounds['limits.onBreach']),
  })
  .prefault({});

/** Resources that the system allows a server on this machine, from its next start on; 0 means no cap. */
const caps = z
  .looseObject({ memoryMiB: setting('caps.memoryMiB'), cpuCores: setting('caps.cpuCores') })
  .prefault({});

const sessions = z
  .looseObject({
    mode: choice(choiceBounds['sessions.mode']),
    maxSessions: setting('sessions.maxSessions'),
    idleTimeoutMs: setting('sessions.idleTimeoutMs'),
  })
  .prefault({});

const approval = z
  .looseObject({
    /**
     * When the user is asked before a client's call. `marked`: before calls of tools that report that they may be destructive,
     * or report nothing to the contrary.
     */
    ask: choice(choiceBounds['approval.ask']),
    /** Exceptions from `ask` by the name of the tool: true always asks the user, false never does. */
    tools: z.record(z.string(), z.boolean()).optional(),
  })
  .prefault({});

const place = z.string().min(1).max(1024);

/** Name of a Kubernetes namespace. Its form is restricted because it becomes part of a path. */
const namespace = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);

/** Name of a Kubernetes resource. Its form is restricted because it becomes part of a path. */
const resource = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/);

const cluster = {
  engine: z.literal('kubernetes'),
  context: place.optional(),
  namespace: namespace.optional(),
};
/** Port that the panel forwards to; undefined if the panel connects to the URL unchanged. */
const port = z.number().int().min(1).max(65_535).optional();

/**
 * Place that runs the server instead of this machine's container engine. Either another engine: a context of the docker client,
 * or an address (`ssh://user@host`, `tcp://host:port`, `unix:///path`). Or a cluster: the kubectl context and the namespace, if
 * they are not the current ones, and, for a server with a URL, the name of the workload that already runs in the cluster.
 */
export const runOnSchema = z.union(
  [
    z.strictObject({ engine: z.literal('docker'), context: place }),
    z.strictObject({ engine: z.literal('docker'), host: place }),
    z.strictObject(cluster),
    z.strictObject({ ...cluster, deployment: resource, port }),
    z.strictObject({ ...cluster, service: resource, port }),
    z.strictObject({ ...cluster, mcpServer: resource, port }),
  ],
  {
    error:
      '{"engine": "docker"} with "context" or "host", a text, or {"engine": "kubernetes"}, alone or with "context" and "namespace"; with "url" also with the name of a "deployment", "service" or "mcpServer", and its "port"',
  },
);
export type RunOn = z.infer<typeof runOnSchema>;
export type DockerPlace = Extract<RunOn, { engine: 'docker' }>;
export type ClusterPlace = Extract<RunOn, { engine: 'kubernetes' }>;
/** Workload that already runs in a cluster. */
export type WorkloadPlace = Extract<
  RunOn,
  { deployment: string } | { service: string } | { mcpServer: string }
>;

/** Returns `runOn` if it names a workload that already runs in a cluster; otherwise undefined. */
export const workloadPlaceOf = (runOn: RunOn | undefined): WorkloadPlace | undefined =>
  runOn && ('deployment' in runOn || 'service' in runOn || 'mcpServer' in runOn) ? runOn : undefined;

/** Schema of the `panel` object of a servers.json entry: the settings for supervising the server. Unknown keys are kept. */
export const panelSettingsSchema = z
  .looseObject({
    autoStart: z.boolean().default(choiceBounds.autoStart.default),
    /** Milliseconds without use after which a stdio server is put to sleep until its next use; 0 means never. */
    sleepAfterMs: setting('sleepAfterMs'),
    /**
     * Name of a sign-in. Entries with the same name share a sign-in; different names separate two accounts at the same address.
     */
    account: z.string().min(1).max(100).optional(),
    runOn: runOnSchema.optional(),
    startTimeoutMs: setting('startTimeoutMs'),
    startMaxMs: setting('startMaxMs'),
    stopGraceMs: setting('stopGraceMs'),
    killGraceMs: setting('killGraceMs'),
    health,
    calls,
    restart,
    limits,
    caps,
    sessions,
    approval,
  })
  .prefault({});

export type PanelSettings = z.infer<typeof panelSettingsSchema>;

/** Settings of an entry without a `panel` object. */
export const defaultPanelSettings: PanelSettings = panelSettingsSchema.parse(undefined);
