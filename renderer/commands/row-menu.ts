import { useEffect } from 'react';
import { useServices } from '../services.ts';
import type { Moment } from '../store/manage-store.ts';
import { boxAt } from '../ui/menu.tsx';

/** What has a menu of its own, or that of text. */
const OTHERS = 'input, textarea, select, a[href], [contenteditable="true"]';
const ROWS = 'tr, [role="row"], li, dt, dd, code, pre';
/** Parts of a row that are copied apart, with tabs between them. */
const CELLS = ':scope > :is(th, td, [role="cell"], span, time)';
/** A longer text is not one row, but a list within it. */
const LONGEST = 20_000;

/** Text of the row or value at an element, its cells apart; undefined where there is none to copy. */
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

/** Value of the attribute `data-moment` where the moment is the one under the pointer. */
export const UNDER_POINTER = 'cursor';

/**
 * Moment at an element, by the attribute `data-moment` (ms) of the element or of one around it, and its server by
 * `data-moment-server`.
 */
function momentAt(target: Element, cursorAt: number | undefined): Moment | undefined {
  const text = target.closest('[data-moment]')?.getAttribute('data-moment');
  const at = text === UNDER_POINTER ? cursorAt : text == null ? undefined : Number(text);
  if (at === undefined || target.closest(OTHERS) !== null) return undefined;
  const server = target.closest('[data-moment-server]')?.getAttribute('data-moment-server') ?? undefined;
  const row = rowTextAt(target);
  return { at: Math.round(at), ...(server !== undefined && { server }), ...(row !== undefined && { row }) };
}

/** Shows the menu of the moment, or else that of the system, at a right click on a row or a value. Fields and selected text have theirs without the page. */
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
