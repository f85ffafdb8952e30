import { useMemo } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { usePanel } from '../services.ts';

/** Events of no server that happen to all of them. What clients and the panel do besides is no news on the page of one. */
export const panelEventKinds: readonly EventKind[] = ['panel-started', 'panel-quit', 'system-resumed'];

/** Events of one server that the page has, and those that happened to it with all others. */
export function useEventsOf(name: string): readonly PanelEvent[] {
  const events = usePanel((state) => state.events);
  return useMemo(
    () =>
      events.filter(
        ({ server, kind }) => server === name || (server === null && panelEventKinds.includes(kind)),
      ),
    [events, name],
  );
}
