import { useMemo } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { usePanel } from '../services.ts';

/** Events of one server that the page has, and those of no server, because a sleep of the machine happened to this one, too. */
export function useEventsOf(name: string): readonly PanelEvent[] {
  const events = usePanel((state) => state.events);
  return useMemo(() => events.filter(({ server }) => server === name || server === null), [events, name]);
}
