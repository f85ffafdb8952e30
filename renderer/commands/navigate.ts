import type { Services } from '../services.ts';
import { hrefOf, type Route } from '../store/route-store.ts';
import { searchField } from '../ui/search-field.tsx';

/** Ids of the fields of the overview that shortcuts can focus. */
export const listFieldIds = { filter: 'filter', group: 'group' } as const;

export function show(route: Route): void {
  window.location.hash = hrefOf(route);
}

/** Focuses a field of the current view. If the field is not in that view, opens the overview and focuses it there. */
function focusField(field: () => HTMLElement | null, isInView: boolean): void {
  if (isInView) return field()?.focus();
  show({ view: 'servers' });
  // Waits for two frames, because the field exists only after the overview has been rendered.
  requestAnimationFrame(() => requestAnimationFrame(() => field()?.focus()));
}

export function focusSearch(): void {
  focusField(searchField, searchField() !== null);
}

export function focusListField({ route }: Services, field: keyof typeof listFieldIds): void {
  const isInView = route.getState().route.view === 'servers';
  focusField(() => document.getElementById(listFieldIds[field]), isInView);
}

export function goBack({ manage, route }: Services): void {
  // The topmost layer closes first.
  if (manage.state.getState().note?.kind === 'done') return manage.setNote(undefined);
  if (route.getState().route.view !== 'servers') show({ view: 'servers' });
}

export function toggleLogs({ route }: Services, name: string): void {
  const current = route.getState().route;
  const isOpen = current.view === 'server' && current.tab === 'logs';
  show({ view: 'server', name, tab: isOpen ? 'overview' : 'logs' });
}
