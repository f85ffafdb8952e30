import { z } from 'zod';
import type { HostedEnd } from '../hosted-run.ts';
import type { BoxState } from '../elsewhere/engine.ts';
import { BYTES_PER_MIB } from '../../../../shared/units.ts';

const text = z.string().optional().catch(undefined);
const waitingSchema = z.object({ reason: text, message: text });
const terminatedSchema = z.object({
  exitCode: z.number(),
  reason: text,
  message: text,
});
const podSchema = z.object({
  metadata: z.object({
    name: z.string(),
    deletionTimestamp: text,
    annotations: z.record(z.string(), z.string()).optional().catch(undefined),
  }),
  spec: z
    .object({
      containers: z.array(
        z.object({
          name: text,
          image: text,
          ports: z
            .array(z.object({ name: text, containerPort: z.number() }))
            .optional()
            .catch(undefined),
          resources: z
            .object({ limits: z.object({ memory: text }).partial().catch({}) })
            .partial()
            .catch({}),
        }),
      ),
    })
    .catch({ containers: [] }),
  status: z
    .object({
      phase: text,
      reason: text,
      message: text,
      conditions: z
        .array(z.object({ type: z.string(), status: z.string(), reason: text, message: text }))
        .catch([]),
      containerStatuses: z
        .array(
          z.object({
            name: text,
            restartCount: z.number().optional().catch(undefined),
            lastState: z.object({ terminated: terminatedSchema }).optional().catch(undefined),
            state: z
              .object({
                waiting: waitingSchema.optional().catch(undefined),
                running: z.object({}).optional().catch(undefined),
                terminated: terminatedSchema.optional().catch(undefined),
              })
              .catch({}),
          }),
        )
        .catch([]),
    })
    .partial()
    .catch({}),
});
type Pod = z.infer<typeof podSchema>;

export interface PodState extends BoxState {
  readonly name: string;
  /** The cluster's text that says why the pod is waiting. */
  readonly waitsFor?: string | undefined;
  readonly isUnschedulable?: boolean;
  /** True if the cluster regards the pod as ready, and sends connections to it. */
  readonly isReady: boolean;
  /** True if the pod is being deleted. */
  readonly isGoing: boolean;
  /** Number of times that the cluster has restarted the container. `lastEnd` says how it ended before the last restart. */
  readonly restarts: number;
  readonly lastEnd?: HostedEnd | undefined;
  /** Name of the pod's first container. `ports` contains the named ports of that container. */
  readonly container: string;
  readonly ports: ReadonlyMap<string, number>;
  /**
   * Time of the last restart that a user requested before the pod was created, copied from the Deployment that created the pod.
   */
  readonly restartedAt?: string | undefined;
}

/** Annotation that `kubectl rollout restart` sets to the current time, whereupon the cluster replaces the pods. */
export const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

/**
 * Reasons why a pod waits that time alone does not resolve. The cluster would keep trying to pull the image; the panel instead
 * lets the start fail, and starts the server again later.
 */
const NO_IMAGE: ReadonlySet<string> = new Set([
  ...['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName', 'ImageInspectError'],
]);
const NO_START: ReadonlySet<string> = new Set([
  ...['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'],
]);

const UNITS: ReadonlyMap<string, number> = new Map([
  ...['n', 'u', 'm'].map((unit, index) => [unit, 1000 ** (index - 3)] as const),
  ...['k', 'M', 'G', 'T'].map((unit, index) => [unit, 1000 ** (index + 1)] as const),
  ...['Ki', 'Mi', 'Gi', 'Ti'].map((unit, index) => [unit, 1024 ** (index + 1)] as const),
]);

/** Converts a Kubernetes quantity such as `64Mi` or `250m` to a number; undefined for any other text. */
export function quantityOf(quantity: string): number | undefined {
  const [, digits = '', unit = ''] = /^([\d.]+)([a-zA-Z]*)$/.exec(quantity) ?? [];
  const factor = unit === '' ? 1 : UNITS.get(unit);
  const number = digits === '' || factor === undefined ? Number.NaN : Number(digits) * factor;
  return Number.isFinite(number) ? number : undefined;
}

/** State of a pod that no longer exists. */
export const GONE = {
  kind: 'ended',
  end: {
    signal: 'SIGKILL',
    why: {
      headline: 'its pod was deleted',
      remedy: 'A user, a program or the cluster deleted it; find out which, or start the server again.',
    },
  },
} as const satisfies BoxState;

/** Parses the state of one pod from the cluster's description. Undefined if it is not such a description. */
export function podStateOf(told: unknown): PodState | undefined {
  const read = podSchema.safeParse(told);
  if (!read.success) return undefined;
  const pod = read.data;
  const [container] = pod.spec.containers;
  const memory = quantityOf(container?.resources?.limits?.memory ?? '');
  const status = statusOf(pod);
  const { conditions = [], phase } = pod.status;
  const { annotations, deletionTimestamp, name } = pod.metadata;
  const isGoing = deletionTimestamp !== undefined;
  const last = status?.lastState?.terminated;
  const known = {
    ...{ name, isGoing, restarts: status?.restartCount ?? 0, lastEnd: last && terminationOf(last, memory) },
    isReady: !isGoing && conditions.some((one) => one.type === 'Ready' && one.status === 'True'),
    container: container?.name ?? '',
    ports: new Map((container?.ports ?? []).map((port) => [port.name ?? '', port.containerPort])),
    restartedAt: annotations?.[RESTARTED_AT],
    ...(memory !== undefined && { memoryLimitBytes: memory }),
  };
  const end = endOf(pod, memory);
  if (end) return { ...known, kind: 'ended', end };
  if (status?.state.running || phase === 'Unknown') return { ...known, kind: 'running' };
  const unscheduled = conditions.find(
    ({ reason, type }) => type === 'PodScheduled' && reason === 'Unschedulable',
  );
  if (unscheduled)
    return {
      ...{ ...known, kind: 'waiting', isUnschedulable: true },
      waitsFor: `Unschedulable: ${unscheduled.message ?? 'no node accepts it'}`,
    };
  const { message, reason } = status?.state.waiting ?? {};
  return { ...known, kind: 'waiting', waitsFor: [reason, message].filter(Boolean).join(': ') || undefined };
}

/** Returns the state of the server's container: the first in the spec, but found by name because the states' order may differ. */
const statusOf = ({ spec: { containers }, status: { containerStatuses: all = [] } }: Pod) =>
  all.find(({ name }) => name !== undefined && name === containers[0]?.name) ?? all[0];

function endOf(pod: Pod, memory: number | undefined): HostedEnd | undefined {
  const { metadata, spec, status } = pod;
  const { conditions = [], message, phase, reason } = status;
  const { terminated, waiting } = statusOf(pod)?.state ?? {};
  const hasFailed = phase === 'Failed';
  if (hasFailed && reason !== undefined) return { ...exitOf(terminated), why: evictionOf(reason, message) };
  if (terminated && TELLING.has(terminated.reason)) return terminationOf(terminated, memory);
  if (terminated && metadata.deletionTimestamp !== undefined) {
    const disruption = conditions.find(({ type }) => type === 'DisruptionTarget');
    const why = disruption ? evictionOf('Evicted', disruption.message) : GONE.end.why;
    return { ...exitOf(terminated), why };
  }
  if (terminated) return exitOf(terminated);
  if (waiting?.reason !== undefined && (NO_IMAGE.has(waiting.reason) || NO_START.has(waiting.reason)))
    return { why: waitOf(waiting.reason, waiting.message, spec.containers[0]?.image ?? 'its image') };
  if (hasFailed || phase === 'Succeeded') return { exitCode: hasFailed ? 1 : 0 };
  return undefined;
}

/** Reasons for a container's end that say more than that its pod is being deleted. */
const TELLING: ReadonlySet<string | undefined> = new Set(['OOMKilled', 'StartError', 'ContainerCannotRun']);

function terminationOf(terminated: z.infer<typeof terminatedSchema>, memory: number | undefined): HostedEnd {
  const { message, reason } = terminated;
  if (reason === 'OOMKilled')
    return { ...exitOf(terminated), outOfMemory: { ...(memory !== undefined && { limitBytes: memory }) } };
  if (reason !== undefined && TELLING.has(reason)) return { why: unstarted(reason, message) };
  return exitOf(terminated);
}

const exitOf = (terminated: z.infer<typeof terminatedSchema> | undefined): HostedEnd =>
  terminated === undefined ? {} : { exitCode: terminated.exitCode };

function evictionOf(reason: string, message: string | undefined) {
  const words = behindColon(message);
  const isEvicted = reason === 'Evicted';
  return {
    headline: isEvicted ? `its pod was evicted${words}` : `its pod has failed, ${reason}${words}`,
    remedy: isEvicted
      ? 'Its node ran short of what the cluster names: give the server "--memory", or the cluster more capacity.'
      : 'Inspect it and its node: kubectl describe pod.',
  };
}

const unstarted = (reason: string, message?: string) => ({
  headline: `the cluster could not start its program, ${reason}${behindColon(message)}`,
  remedy: 'Correct what follows the image in its arguments, or the image.',
});

function waitOf(reason: string, message: string | undefined, image: string) {
  if (!NO_IMAGE.has(reason)) return unstarted(reason, message);
  return {
    headline: `the image ${image} could not be pulled by the cluster, ${reason}${behindColon(message)}`,
    remedy: 'Check the name and tag of the image, and that the nodes reach its registry and may read it.',
  };
}

const behindColon = (message: string | undefined): string => (message ? `: ${message}` : '');

/** Builds the end that is reported for a pod that no node of the cluster accepts. */
export const unschedulable = (waitsFor: string): HostedEnd => ({
  why: {
    headline: `no node of the cluster accepts its pod, ${waitsFor}`,
    remedy: 'Lower "--memory" and "--cpus" in its arguments, or give the cluster more capacity.',
  },
});

const MAX_PODS = 5;

/** Describes the state of a pod for users. */
export function podWords(pod: PodState): string {
  const { end, isGoing, isReady, kind, lastEnd, restarts, waitsFor } = pod;
  const ended = end && (endOfOthers(end, pod).why?.headline ?? `ended with code ${end.exitCode}`);
  const now =
    ended ??
    (kind === 'waiting' ? `waits${waitsFor ? `, ${waitsFor}` : ''}` : isReady ? 'is ready' : 'is not ready');
  const why = lastEnd && endOfOthers(lastEnd, pod).why?.headline;
  const again = restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;
  return `${isGoing ? 'is going' : now}${again}${why === undefined ? '' : `, the last time because it ${why}`}`;
}

/** Returns the names and states of the first pods as texts for users, and how many more there are. */
export function listed(pods: readonly PodState[]): readonly string[] {
  const words = pods.slice(0, MAX_PODS).map((pod) => `${pod.name} ${podWords(pod)}`);
  return pods.length <= MAX_PODS ? words : [...words, `${pods.length - MAX_PODS} more`];
}

/** Returns why a pod cannot be used now or soon; undefined if it can, or may become usable. */
export const failureOf = ({ end, kind, lastEnd, waitsFor }: PodState): HostedEnd | undefined =>
  kind === 'ended' ? end : waitsFor?.startsWith('CrashLoopBackOff') ? (lastEnd ?? {}) : undefined;

/** Returns how the container of a pod ended since the pod was in the state `used`; undefined if it has not ended. */
export function endSince(used: PodState, now: PodState | typeof GONE = GONE): HostedEnd | undefined {
  if (now.kind === 'ended') return endOfOthers(now.end ?? {}, used);
  return now.restarts > used.restarts ? endOfOthers(now.lastEnd ?? {}, now) : undefined;
}

/** Returns the end of a container that the panel did not create, with a remedy for users: the panel must not change its pod. */
export function endOfOthers({ outOfMemory, why, ...exit }: HostedEnd, { name }: PodState): HostedEnd {
  const { limitBytes } = outOfMemory ?? {};
  const may =
    limitBytes === undefined ? '' : `: its container may use ${Math.round(limitBytes / BYTES_PER_MIB)} MiB`;
  const headline = outOfMemory ? `ran out of memory${may}` : why?.headline;
  const remedy = `Inspect it (kubectl describe pod ${name}), and change what created it: the panel does not.`;
  return { ...exit, ...(headline !== undefined && { why: { headline, remedy } }) };
}
