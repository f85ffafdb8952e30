import type { RunOn, WorkloadPlace } from './panel-settings.ts';

/** Place where a server runs: on this machine, in a container, or in pods of a cluster. */
export interface RunHost {
  readonly kind: 'process' | 'container' | 'pod';
  /** Client program of the container's engine (`docker`, `podman`), or the context or address of an engine elsewhere. */
  readonly engine?: string | undefined;
  /** Version of an engine elsewhere, once it has told it. */
  readonly engineVersion?: string | undefined;
  /** Full id of the container; undefined until the engine has told it, and while the server does not run. */
  readonly id?: string | undefined;
  /** Memory that the engine lets the container use, in bytes; undefined without a limit, and before it is known. */
  readonly memoryLimitBytes?: number | undefined;
  /** Whether the panel has no connection to the container, which goes on there. */
  readonly isOutOfReach?: boolean | undefined;
  /** What the server belongs to that ran in the cluster already, in words. */
  readonly workload?: string | undefined;
  /** Its pods and how they are, in words. */
  readonly pods?: string | undefined;
}

/** Name of an engine elsewhere for people: that of its context, or its address without what stands before `@`. */
export function nameOfPlace(place: RunOn): string {
  if (place.engine === 'kubernetes') {
    const { context = 'Kubernetes', namespace } = place;
    return namespace === undefined ? context : `${context}/${namespace}`;
  }
  return 'context' in place ? place.context : place.host.replace(/^(\w+:\/\/)[^@/]*@/, '$1');
}

/** Kind and name of what runs in a cluster already. */
export function workloadNameOf(place: WorkloadPlace): string {
  if ('deployment' in place) return `Deployment ${place.deployment}`;
  return 'service' in place ? `Service ${place.service}` : `MCPServer ${place.mcpServer}`;
}

/** What runs in a cluster already, and where. */
export function workloadWords(place: WorkloadPlace): string {
  const { context, namespace } = place;
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `${workloadNameOf(place)}${where}${context === undefined ? '' : ` of context ${context}`}`;
}
