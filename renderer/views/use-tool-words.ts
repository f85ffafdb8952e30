import { useStore } from 'zustand/react';
import { formatCount, formatPlural } from '../format/figures.ts';
import { useServices } from '../services.ts';
import type { InspectorState } from '../store/inspector-store.ts';

/** Number of tools of a server as text; undefined until this app window has requested the list. */
export function useToolWords(server: string): string | undefined {
  const { inspectors } = useServices();
  return useStore(inspectors.of(server).state, toolWords);
}

/** Text such as "12 tools"; the total, if the list is shown only in part. */
export function toolWords({ items, parts }: Pick<InspectorState, 'items' | 'parts'>): string | undefined {
  if (items === undefined) return undefined;
  const part = parts.find(({ list }) => list === 'tools');
  if (part?.isAtLeast === true) return `more than ${formatCount(part.total)} tools`;
  return formatPlural(part?.total ?? items.filter(({ kind }) => kind === 'tool').length, 'tool');
}
