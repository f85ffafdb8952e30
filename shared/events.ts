import { z } from 'zod';
import { cutText } from './cut-text.ts';
import { jsonObjectSchema } from './json-object-schema.ts';

const text = z.string();
const number = z.number();
const flag = z.boolean();
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/** Object within an event's detail (its data). Any field may be missing, because a detail that is too long is cut. */
const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).partial();

/** Detail of an event: its own fields, and those that all kinds share. */
const detail = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({
    ...shape,
    /** Number of the run, counted from the start of the panel. */
    generation: number.optional(),
    /** Name of the replica (additional instance of the server) that the event is about; undefined for the main instance. */
    instance: text.optional(),
    /** JSON of the whole detail, if this version of the panel cannot read it. */
    raw: text.optional(),
  });

const call = part({ method: text, target: text, ageMs: number, by: text, client: text, isGivenUp: flag });
const holder = part({ pid: number, command: text });
const setting = z.union([number, text, flag]);

/** State of a run when it began to end. All fields are absent if the server was stopped while it had no run. */
const atEnd = {
  calls: list(call).optional(),
  callsTotal: number.optional(),
  inUse: part({
    at: number,
    memoryBytes: number,
    cpuPercent: number,
    openFiles: number,
    processCount: number,
    limits: part({ maxMemoryMiB: number, maxCpuPercent: number, maxOpenFiles: number }),
  }).optional(),
};

const run = {
  pid: number.optional(),
  serverInfo: part({ name: text, version: text }).optional(),
  /** Number of automatic starts in a row; undefined for a start by command. */
  attempt: number.optional(),
  stableAfterMs: number,
};

/** Data about the end of a run that the panel caused: who asked for it, or the limit that was breached. */
const ended = {
  ...atEnd,
  by: text.optional(),
  limit: text.optional(),
  value: number.optional(),
  max: number.optional(),
  holder: holder.optional(),
};

/** Fields of an error, at the top level of the detail. */
const error = {
  code: text,
  message: text,
  phrase: text.optional(),
  brief: text.optional(),
  remedy: text.optional(),
};

const failure = {
  ...error,
  exitCode: number.optional(),
  signal: text.optional(),
  /** Line of stderr that names the cause. */
  cause: text.optional(),
  /** Lines around the line of the cause; undefined if no cause was searched for. */
  causeLines: list(text).optional(),
  stderrTail: text.optional(),
};

const verdict = {
  ...atEnd,
  row: z.union([number, text]),
  words: text,
  elapsedMs: number,
  pendingMethods: list(text),
  evidence: part({
    silentMs: number,
    thresholdMs: number,
    lastAnswerMs: number,
    probes: list(part({ kind: text, unansweredMs: number })),
    calls: list(call),
    answeredDuringCalls: flag,
    work: part({ overMs: number, cpuMs: number, writtenBytes: number }),
  }),
  stderrTail: text,
  /** Set if the panel ends the run because of the event. */
  isEnding: flag.optional(),
};

const figures = { value: number, max: number };

/**
 * Fields of each kind of event, as this version writes them. Errors add further fields. Texts are not enumerations here,
 * because another version may write other values.
 */
const details = {
  started: detail(run),
  stopped: detail(ended),
  /** The server was put to sleep: it has no processes until its next use. `why`: idle or command. */
  slept: detail({
    why: text,
    idleForMs: number,
    /** Memory that the server's processes used, if it was measured. */
    memoryBytes: number.optional(),
  }),
  /** A use or a command ended the sleep. `by`: call, command or configuration; `tookMs`: time until the server could answer. */
  woken: detail({ ...run, by: text, tookMs: number, sleptForMs: number }),
  crashed: detail({ ...failure, ...atEnd }),
  stalled: detail(verdict),
  recovered: detail({ silentMs: number.optional(), row: verdict.row }),
  suspect: detail(verdict),
  'restart-scheduled': detail({ cause: text, delayMs: number, attempt: number, maxAttempts: number }),
  restarted: detail(run),
  'gave-up': detail({
    ...error,
    cause: text,
    attempts: number,
    reason: text,
    slowRetryMs: number.optional(),
    repeats: number.optional(),
  }),
  'limit-breached': detail({
    ...figures,
    limit: text,
    isSevere: flag,
    holder: holder.optional(),
    action: text,
    calls: list(call).optional(),
  }),
  'limit-recovered': detail({ ...figures, limit: text, durationMs: number }),
  'high-cpu': detail(figures),
  /** The memory rises day by day; reported once. */
  trend: detail({
    perDayBytes: number,
    since: number,
    limitBytes: number.optional(),
    limitAt: number.optional(),
    limitFrom: number.optional(),
    limitTo: number.optional(),
    confidence: text,
  }),
  'start-failed': detail({ ...failure, attempt: number.optional() }),
  'force-killed': detail({ pids: list(number), signal: text, leftPids: list(number).optional() }),
  ended: detail({ ...ended, stderrTail: text }),
  'protocol-noise': detail({ noise: text, excerpt: text, bytes: number, count: number, total: number }),
  'orphan-reaped': detail({
    pids: list(number),
    commands: list(text),
    containers: list(text).optional(),
    forceKilledPids: list(number).optional(),
    leftPids: list(number).optional(),
  }),
  /**
   * A container that an earlier run of the panel started on another engine is still running, and this run has taken it over.
   * Calls of the earlier run are lost.
   */
  adopted: detail({
    engine: text,
    container: text,
    calls: list(call).optional(),
    /** Number of the server's run as counted by the earlier run of the panel. */
    formerGeneration: number.optional(),
  }),
  'engine-lost': detail({ engine: text, reason: text }),
  'engine-reached': detail({ engine: text, lostMs: number }),
  'config-changed': detail({
    change: text,
    servers: list(text).optional(),
    fields: list(text).optional(),
    settings: list(part({ field: text, from: setting, to: setting })).optional(),
    isEnabled: flag.optional(),
    restarts: flag.optional(),
  }),
  'config-rejected': detail({
    path: text,
    message: text,
    line: number.optional(),
    column: number.optional(),
  }),
  'panel-started': detail({
    version: text,
    absentMs: number.optional(),
    endedUncleanly: flag.optional(),
  }),
  'panel-quit': detail({}),
  'system-resumed': detail({ sleptMs: number.optional() }),
  'panel-blocked': detail({ durationMs: number, currentTask: text.optional(), count: number }),
  'server-version-changed': detail({ from: text, to: text }),
  'offer-changed': detail({ held: number, shown: number, digest: text, version: text.optional() }),
  /** Alerts of one rule that were not sent. */
  'alert-failed': detail({
    rule: text,
    what: text,
    reason: text,
    status: number.optional(),
    count: number,
  }),
  'client-connected': detail({
    client: text.optional(),
    program: text.optional(),
    server: text.optional(),
    reads: text.optional(),
  }),
  'client-refused': detail({ reason: text, count: number, client: text.optional() }),
  'client-revoked': detail({ client: text }),
  /** An MCP client ended, but some of the servers that it had started did not. */
  'left-behind': detail({
    client: text.optional(),
    count: number,
    memoryBytes: number,
    programs: list(text),
    /** Ids of the process trees of these servers. */
    trees: list(text),
  }),
  'ask-refused': detail({ method: text, reason: text, count: number, client: text.optional() }),
};

export type EventKind = keyof typeof details;
export const eventKinds = Object.keys(details) as [EventKind, ...EventKind[]];

/** Detail of an event as it is written. */
export type EventDetails = { readonly [K in EventKind]: Readonly<z.infer<(typeof details)[K]>> };

/** Detail of an event as it is read. It may come from another version, so any field may be missing. */
export type EventDetail<K extends EventKind> = Partial<EventDetails[K]>;

/** Kind and detail of an event, without its time and server. */
export type ToldEvent<K extends EventKind = EventKind> = {
  [P in K]: { readonly kind: P; readonly detail: EventDetail<P> };
}[K];

/** Writes an event of one server. */
export type LogEvent = <K extends EventKind>(kind: K, detail: EventDetails[K]) => void;

const forms = new Map<string, z.ZodType>(
  Object.entries(details).map(([kind, schema]) => [kind, schema.partial()]),
);
const fits = (kind: EventKind, value: unknown): boolean => forms.get(kind)?.safeParse(value).success ?? false;

const MAX_RAW_CHARACTERS = 16 * 1024;

/** Returns an event, including unknown fields. A detail that does not fit the kind of event is included as raw text. */
export function toldEvent(kind: EventKind, value: unknown): ToldEvent {
  const told = fits(kind, value)
    ? value
    : {
        raw: cutText(
          typeof value === 'string' ? value : String(JSON.stringify(value)),
          MAX_RAW_CHARACTERS,
          'end',
        ).text,
      };
  // The detail either fits the schema of this kind or is raw text, but the compiler cannot see that.
  return { kind, detail: told } as ToldEvent;
}

const toldSchema = z
  .object({ kind: z.enum(eventKinds), detail: jsonObjectSchema })
  .refine(({ kind, detail: value }) => fits(kind, value), { error: 'the detail is not one of its kind' });

/** Schema of an event with the additional fields of `head`. The value is passed through unchanged. */
export function eventSchema<Head extends z.ZodRawShape>(head: Head) {
  const schema = z.object(head);
  return z.custom<z.infer<typeof schema> & ToldEvent>(
    (value) => schema.safeParse(value).success && toldSchema.safeParse(value).success,
    { error: 'expected an event' },
  );
}

export const eventHead = {
  /** Id that sorts by time and is unique across app runs. */
  id: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  server: z.string().nullable(),
};

export const panelEventSchema = eventSchema(eventHead);
export type PanelEvent = z.infer<typeof panelEventSchema>;

/** Event that reports that a run has begun. */
export type BegunEvent = Extract<PanelEvent, { readonly kind: 'started' | 'restarted' | 'woken' }>;
export const beginsRun = (event: PanelEvent): event is BegunEvent =>
  event.kind === 'started' || event.kind === 'restarted' || event.kind === 'woken';
