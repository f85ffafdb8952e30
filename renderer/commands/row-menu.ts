import { useEffect } from 'react';
import { useServices } from '../services.ts';
import type { Moment } from '../store/manage-store.ts';
import { boxAt } from '../ui/menu.tsx';

/** Elements that have their own context menu, or the system's menu for text fields. */
const OTHERS = 'input, textarea, select, a[href], [contenteditable="true"]';
const ROWS = 'tr, [role="row"], li, dt, dd, code, pre';
/** Parts of a row that are copied as separate cells, with tabs between them. */
const CELLS = ':scope > :is(th, td, [role="cell"], span, time)';
/** Maximum characters of a row. A longer text is a list, not a single row. */
const LONGEST = 20_000;

/** Text of the row or value at an element, with tabs between the cells; undefined if there is nothing to copy. */
export function rowTextAt(target: Element): string | undefined {
  if (target.closest(OTHERS) !== null) return undefined;
  const row = target.closest<HTMLElement>(ROWS);
  if (row === null) return undefined;
  const cells = [...row.querySelectorAll<HTMLElement>(CELLS)];
  const text = (cells.length === 0 ? [row] : cells)
    .map((cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim())
    .filter((words) => words !== '')
    .join('\t');
  return text === '' || text.length > LONGEST ? undefined : text;
}

/** Value of the attribute `data-moment` for the moment that is under the pointer. */
export const UNDER_POINTER = 'cursor';

/**
 * Returns the moment at an element and its server. They are read from the attributes `data-moment` (in ms) and
 * `data-moment-server` of the element or of one that contains it.
 */
function momentAt(target: Element, cursorAt: number | undefined): Moment | undefined {
  const text = target.closest('[data-moment]')?.getAttribute('data-moment');
  const at = text === UNDER_POINTER ? cursorAt : text == null ? undefined : Number(text);
  if (at === undefined || target.closest(OTHERS) !== null) return undefined;
  const server = target.closest('[data-moment-server]')?.getAttribute('data-moment-server') ?? undefined;
  const row = rowTextAt(target);
  return { at: Math.round(at), ...(server !== undefined && { server }), ...(row !== undefined && { row }) };
}

/**
 * Handles right clicks on rows and values: shows the menu of the moment if there is one, or else a native menu. Text fields
 * keep the menu of the system, and selected text never gets the menu of a moment.
 */
export function useRowMenu(): void {
  const { api, manage, view } = useServices();
  useEffect(() => {
    const open = (event: MouseEvent) => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return;
      const hasSelection = (document.getSelection()?.toString() ?? '') !== '';
      const moment = hasSelection ? undefined : momentAt(event.target, view.getState().cursorAt);
      if (moment !== undefined) {
        event.preventDefault();
        return manage.setMenu({ of: moment, box: boxAt(event.clientX, event.clientY) });
      }
      const text = rowTextAt(event.target);
      if (text === undefined) return;
      event.preventDefault();
      void api.showRowMenu({ text, hasSelection }).catch(() => undefined);
    };
    document.addEventListener('contextmenu', open);
    return () => document.removeEventListener('contextmenu', open);
  }, [api, manage, view]);
}
