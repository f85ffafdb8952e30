import { z } from 'zod';
import { choiceBounds, numberBounds, type NumberPath } from './bounds.ts';

/** Returns the schema of a number within its bounds, without its default. */
function figure(path: NumberPath) {
  const { min, max, isWhole } = numberBounds[path];
  return (isWhole ? z.number().int() : z.number()).min(min).max(max);
}

/** Milliseconds without use after which a stdio server sleeps; 0 for never. */
export const sleepAfterSchema = figure('sleepAfterMs');

const setting = (path: NumberPath) => figure(path).default(numberBounds[path].default);

/** Schema of a choice among texts, with its default. */
const choice = <const V extends string>(bounds: { values: readonly [V, ...V[]]; default: NoInfer<V> }) =>
  z.enum(bounds.values).default(bounds.default);

/** Change of the health settings; omitted fields stay. */
export const healthPatchSchema = z.strictObject({
  stallThresholdMs: z.optional(figure('health.stallThresholdMs')),
});
export type HealthPatch = z.infer<typeof healthPatchSchema>;

/** A person's own check of a server: a call of a tool, or a read of a resource, that shows whether it does its work. */
const ownCheck = z
  .looseObject({
    tool: z.string().min(1).max(1000).optional(),
    arguments: z.record(z.string(), z.unknown()).optional(),
    /** URI of the resource. */
    resource: z.string().min(1).max(8192).optional(),
    everyMs: setting('health.check.everyMs'),
    /** Plain text that must occur in the text of the answer. */
    expect: z.string().min(1).max(8192).optional(),
    onFail: choice(choiceBounds['health.check.onFail']),
  })
  .superRefine(({ tool, resource, arguments: args }, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (tool === undefined && resource === undefined)
      refuse('tool', 'the name of a tool (or "resource" with a URI)');
    if (tool !== undefined && resource !== undefined) refuse('resource', 'nothing beside "tool"');
    if (tool === undefined && args !== undefined) refuse('arguments', 'nothing without "tool"');
  });
export type OwnCheckSettings = z.infer<typeof ownCheck>;

const health = z
  .looseObject({
    /** Silence in ms before a probe while calls are in flight; an idle server is probed after six times as long. */
    probeIntervalMs: setting('health.probeIntervalMs'),
    stallThresholdMs: setting('health.stallThresholdMs'),
    /** Milliseconds for which a computing server may leave a probe unanswered. */
    workAllowanceMs: setting('health.workAllowanceMs'),
    onStall: choice(choiceBounds['health.onStall']),
    /** Reaction to a server that answered a probe during a call, and then sent nothing for twice the threshold. */
    onSuspect: choice(choiceBounds['health.onSuspect']),
    heartbeatLogs: z
      .union([z.literal('auto'), z.boolean()])
      .default(choiceBounds['health.heartbeatLogs'].default),
    check: ownCheck.optional(),
  })
  .prefault({});

/** Longest time of a call without progress, in ms. */
export const callTimeoutMsSchema = figure('calls.timeoutMs');

const calls = z
  .looseObject({
    timeoutMs: setting('calls.timeoutMs'),
    /** Longest time of a call in all, in ms. */
    maxTotalMs: setting('calls.maxTotalMs'),
  })
  .prefault({});

const restart = z
  .looseObject({
    /** Whether the server restarts automatically. */
    enabled: z.boolean().default(choiceBounds['restart.enabled'].default),
    /** Automatic starts since the last stable run. */
    maxRestartAttempts: setting('restart.maxRestartAttempts'),
    maxPerHour: setting('restart.maxPerHour'),
    initialBackoffMs: setting('restart.initialBackoffMs'),
    maxBackoffMs: setting('restart.maxBackoffMs'),
    stableAfterMs: setting('restart.stableAfterMs'),
    slowRetryMs: setting('restart.slowRetryMs'),
  })
  .prefault({});

/** Change of the limits; omitted fields stay. */
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

/** What the system lets a server of this machine use, from its next start on; 0 for no cap. */
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
    /** When a person is asked before a client's call. `marked`: before tools that may destroy, by their own word or for want of one. */
    ask: choice(choiceBounds['approval.ask']),
    /** Tools by name that a person is asked about, or never, whatever `ask` says. */
    tools: z.record(z.string(), z.boolean()).optional(),
  })
  .prefault({});

const place = z.string().min(1).max(1024);

/** Name of a namespace of a cluster, which becomes a part of a path. */
const namespace = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);

/** Name of a resource of a cluster, which becomes a part of a path, too. */
const resource = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/);

const cluster = {
  engine: z.literal('kubernetes'),
  context: place.optional(),
  namespace: namespace.optional(),
};
/** Port that the panel forwards to; undefined where it connects to the URL as it stands. */
const port = z.number().int().min(1).max(65_535).optional();

/**
 * Container engine that runs the server instead of the one of this machine: as a context of the docker client, or as an
 * address (`ssh://user@host`, `tcp://host:port`, `unix:///path`). Or a cluster: the context of kubectl, and the namespace, where
 * they are not the current ones; with the name of what runs there already, for a server with a URL.
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
      '{"engine": "docker"} with "context" or "host", a text, or {"engine": "kubernetes"}, alone or with "context" and "namespace"; beside "url" also with the name of a "deployment", "service" or "mcpServer", and its "port"',
  },
);
export type RunOn = z.infer<typeof runOnSchema>;
export type DockerPlace = Extract<RunOn, { engine: 'docker' }>;
export type ClusterPlace = Extract<RunOn, { engine: 'kubernetes' }>;
/** What runs in a cluster already. */
export type WorkloadPlace = Extract<
  RunOn,
  { deployment: string } | { service: string } | { mcpServer: string }
>;

/** The place as that of what runs in a cluster already; undefined for any other. */
export const workloadPlaceOf = (runOn: RunOn | undefined): WorkloadPlace | undefined =>
  runOn && ('deployment' in runOn || 'service' in runOn || 'mcpServer' in runOn) ? runOn : undefined;

/** Schema of the `panel` object of a servers.json entry, the settings for supervising the server. Unknown keys are kept. */
export const panelSettingsSchema = z
  .looseObject({
    autoStart: z.boolean().default(choiceBounds.autoStart.default),
    /** Milliseconds without use after which a stdio server sleeps until its next use; 0 for never. */
    sleepAfterMs: setting('sleepAfterMs'),
    /** Name of a sign-in that several entries share, or that tells two accounts at one address apart. */
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

/** Settings of an entry that sets nothing. */
export const defaultPanelSettings: PanelSettings = panelSettingsSchema.parse(undefined);
