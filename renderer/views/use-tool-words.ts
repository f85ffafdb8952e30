import { useStore } from 'zustand/react';
import { formatCount, formatPlural } from '../format/figures.ts';
import { useServices } from '../services.ts';
import type { InspectorState } from '../store/inspector-store.ts';

/** Number of tools that a server offers, in words; undefined until it was asked in this window. */
export function useToolWords(server: string): string | undefined {
  const { inspectors } = useServices();
  return useStore(inspectors.of(server).state, toolWords);
}

/** "12 tools"; of a list that is shown in part, how many there are of it. */
export function toolWords({ items, parts }: Pick<InspectorState, 'items' | 'parts'>): string | undefined {
  if (items === undefined) return undefined;
  const part = parts.find(({ list }) => list === 'tools');
  if (part?.isAtLeast === true) return `more than ${formatCount(part.total)} tools`;
  return formatPlural(part?.total ?? items.filter(({ kind }) => kind === 'tool').length, 'tool');
}
