import type { RunOn } from './panel-settings.ts';

/** Name of an engine elsewhere for people: that of its context, or its address without what stands before `@`. */
export function nameOfPlace(place: RunOn): string {
  if (place.engine === 'kubernetes') {
    const { context = 'Kubernetes', namespace } = place;
    return namespace === undefined ? context : `${context}/${namespace}`;
  }
  return 'context' in place ? place.context : place.host.replace(/^(\w+:\/\/)[^@/]*@/, '$1');
}
