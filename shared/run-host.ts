import type { RunOn, WorkloadPlace } from './panel-settings.ts';

/** Returns the shown name of a place to run: its context with any namespace, or its address without the part before `@`. */
export function nameOfPlace(place: RunOn): string {
  if (place.engine === 'kubernetes') {
    const { context = 'Kubernetes', namespace } = place;
    return namespace === undefined ? context : `${context}/${namespace}`;
  }
  return 'context' in place ? place.context : place.host.replace(/^(\w+:\/\/)[^@/]*@/, '$1');
}

/** Returns the kind and name of a workload that already runs in a cluster. */
export function workloadNameOf(place: WorkloadPlace): string {
  if ('deployment' in place) return `Deployment ${place.deployment}`;
  return 'service' in place ? `Service ${place.service}` : `MCPServer ${place.mcpServer}`;
}

/** Returns the kind and name of a workload that already runs in a cluster, with its namespace and context. */
export function workloadWords(place: WorkloadPlace): string {
  const { context, namespace } = place;
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `${workloadNameOf(place)}${where}${context === undefined ? '' : ` of context ${context}`}`;
}
