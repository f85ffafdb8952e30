import type { PanelEvent } from '../../shared/domain.ts';
import { endingKinds } from '../format/run-end-words.ts';
import { hrefOf } from '../store/route-store.ts';

/** DOM event that asks an event log to open a row. Its `detail` is the event's id. A log with that row calls `preventDefault`. */
export const OPEN_EVENT = 'open-event';

/**
 * Opens the row of an event, in the list beside the charts or in the log. If neither has the row and the event reports the end
 * of a run, opens that end in the server's restart history.
 */
export function openEvent(event: PanelEvent | undefined): void {
  if (event === undefined) return;
  const row = document.querySelector(`[data-event~="${CSS.escape(event.id)}"]`);
  if (row !== null) {
    row.scrollIntoView({ block: 'nearest' });
    // The open state is internal to the row, so the row is opened by a click on its button.
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
