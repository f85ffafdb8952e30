import type { RunOn } from './panel-settings.ts';

/** Place where a server with a command line runs: on this machine, in a container, or in a pod of a cluster. */
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
}

/** Name of an engine elsewhere for people: that of its context, or its address without what stands before `@`. */
export function nameOfPlace(place: RunOn): string {
  if (place.engine === 'kubernetes') {
    const { context = 'Kubernetes', namespace } = place;
    return namespace === undefined ? context : `${context}/${namespace}`;
  }
  return 'context' in place ? place.context : place.host.replace(/^(\w+:\/\/)[^@/]*@/, '$1');
}
