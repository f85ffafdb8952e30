import { z } from 'zod';

const durationMs = (max: number) => z.number().int().min(1).max(max);
const DAY_MS = 86_400_000;

const stallThreshold = durationMs(DAY_MS);

/** What of the supervision of stalls is to be set; what it does not name stays. */
export const healthPatchSchema = z.strictObject({ stallThresholdMs: z.optional(stallThreshold) });
export type HealthPatch = z.infer<typeof healthPatchSchema>;

const health = z
  .looseObject({
    /** Silence before a probe while calls are in flight; six times as much when idle. */
    probeIntervalMs: durationMs(DAY_MS).default(10_000),
    stallThresholdMs: stallThreshold.default(30_000),
    /** How long a server that computes may leave a question unanswered. */
    workAllowanceMs: durationMs(DAY_MS).default(300_000),
    onStall: z.enum(['restart', 'notify']).default('restart'),
    /** What becomes of a server that answered during a call, and then answers nothing for twice the threshold. */
    onSuspect: z.enum(['restart', 'notify']).default('notify'),
    heartbeatLogs: z.union([z.literal('auto'), z.boolean()]).default('auto'),
  })
  .prefault({});

/** Longest time without progress. */
export const callTimeoutMsSchema = durationMs(DAY_MS);

const calls = z
  .looseObject({
    timeoutMs: callTimeoutMsSchema.default(300_000),
    /** Longest time at all. */
    maxTotalMs: durationMs(7 * DAY_MS).default(3_600_000),
  })
  .prefault({});

const restart = z
  .looseObject({
    /** False: it never restarts by itself. */
    enabled: z.boolean().default(true),
    /** Automatic starts since the last stable run. */
    maxRestartAttempts: z.number().int().min(1).max(1000).default(3),
    maxPerHour: z.number().int().min(1).max(1000).default(10),
    initialBackoffMs: durationMs(DAY_MS).default(1000),
    maxBackoffMs: durationMs(DAY_MS).default(60_000),
    stableAfterMs: durationMs(DAY_MS).default(60_000),
    slowRetryMs: durationMs(7 * DAY_MS).default(300_000),
  })
  .prefault({});

const memoryLimit = z.number().min(1).max(16_777_216);
const cpuLimit = z.number().min(1).max(100_000);
const openFilesLimit = z.number().int().min(1).max(10_000_000);

/** Limits to be set; those it does not name stay. */
export const limitPatchSchema = z.strictObject({
  maxMemoryMiB: z.optional(memoryLimit),
  maxCpuPercent: z.optional(cpuLimit),
  maxOpenFiles: z.optional(openFilesLimit),
});
export type LimitPatch = z.infer<typeof limitPatchSchema>;

const limits = z
  .looseObject({
    maxMemoryMiB: memoryLimit.default(1024),
    maxCpuPercent: cpuLimit.default(80),
    maxOpenFiles: openFilesLimit.default(1000),
    sustainedSamples: z.number().int().min(1).max(3600).default(3),
    onBreach: z.enum(['restart', 'stop', 'notify']).default('restart'),
  })
  .prefault({});

const sessions = z
  .looseObject({
    mode: z.enum(['auto', 'shared', 'exclusive']).default('auto'),
    maxSessions: z.number().int().min(1).max(1000).default(10),
    idleTimeoutMs: durationMs(7 * DAY_MS).default(400_000),
  })
  .prefault({});

/** The `panel` object of a servers.json entry: how a server is supervised. Unknown keys are kept. */
export const panelSettingsSchema = z
  .looseObject({
    autoStart: z.boolean().default(true),
    startTimeoutMs: durationMs(DAY_MS).default(60_000),
    startMaxMs: durationMs(DAY_MS).default(600_000),
    stopGraceMs: durationMs(600_000).default(5000),
    killGraceMs: durationMs(600_000).default(5000),
    health,
    calls,
    restart,
    limits,
    sessions,
  })
  .prefault({});

export type PanelSettings = z.infer<typeof panelSettingsSchema>;

/** The settings of an entry that sets nothing. */
export const defaultPanelSettings: PanelSettings = panelSettingsSchema.parse(undefined);
