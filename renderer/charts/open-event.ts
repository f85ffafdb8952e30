import type { PanelEvent } from '../../shared/domain.ts';
import { endingKinds } from '../format/run-end-words.ts';
import { hrefOf } from '../store/route-store.ts';

/** Asks a log for the row of an event, by the event's id; a log that has it prevents the default. */
export const OPEN_EVENT = 'open-event';

/**
 * Opens an event with the incident that it is part of: its row beside the charts, or, where that is not shown, the story of
 * the end that it tells.
 */
export function openEvent(event: PanelEvent | undefined): void {
  if (event === undefined) return;
  const row = document.querySelector(`[data-event~="${CSS.escape(event.id)}"]`);
  if (row !== null) {
    row.scrollIntoView({ block: 'nearest' });
    // The row keeps whether it is open, and its button is how anybody opens it.
    row.querySelector<HTMLElement>('button[aria-expanded="false"]')?.click();
    return;
  }
  const log = document.querySelector('[role="log"]');
  const asked = new CustomEvent(OPEN_EVENT, { detail: event.id, cancelable: true });
  if (log?.dispatchEvent(asked) === false) return;
  if (event.server !== null && endingKinds.has(event.kind)) {
    window.location.hash = hrefOf({ view: 'server', name: event.server, tab: 'restarts', end: event.id });
  }
}
