import type { RunOn, WorkloadPlace } from './panel-settings.ts';

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
