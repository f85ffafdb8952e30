import type { PanelEvent } from '../../shared/domain.ts';
import { endingKinds } from '../format/run-end-words.ts';
import { hrefOf } from '../store/route-store.ts';

/** DOM event that asks a log to open the row of an event, by the event's id. A log that has the row calls `preventDefault`. */
export const OPEN_EVENT = 'open-event';

/**
 * Opens an event: its row beside the charts or in the log. If neither shows it, opens the restart history at the end of the run
 * that the event reports.
 */
export function openEvent(event: PanelEvent | undefined): void {
  if (event === undefined) return;
  const row = document.querySelector(`[data-event~="${CSS.escape(event.id)}"]`);
  if (row !== null) {
    row.scrollIntoView({ block: 'nearest' });
    // The row itself keeps its open state, so it is opened with a click on its button.
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
