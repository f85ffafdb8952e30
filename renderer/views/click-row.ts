import type { MouseEvent } from 'react';
import type { Services } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { extendTo, toggle } from '../store/selection.ts';
import type { ViewStore } from '../store/view-store.ts';

/**
 * Opens the server's page on a click anywhere in the row; the link inside is for keyboard and screen reader. A click
 * with Ctrl or Cmd toggles the selection of the row; with Shift it selects all rows up to this one.
 */
export function clickRow(
  event: MouseEvent<HTMLElement>,
  name: string,
  { view }: Pick<Services, 'view'>,
): void {
  const { target } = event;
  if (event.defaultPrevented || !(target instanceof Element)) return;
  const isSelecting = event.ctrlKey || event.metaKey || event.shiftKey;
  if (target.closest(isSelecting ? 'button, input, [role="alert"]' : 'a, button, input, [role="alert"]'))
    return;
  if (!isSelecting) {
    // A drag that selects text opens no page.
    if (window.getSelection()?.isCollapsed !== false) window.location.hash = serverHref(name);
    return;
  }
  event.preventDefault();
  selectRow(event, name, view);
}

/** Toggles the selection of a row; with Shift, selects all rows up to it. */
export function selectRow(
  { currentTarget, shiftKey }: MouseEvent<HTMLElement>,
  name: string,
  view: ViewStore,
): void {
  const { selection } = view.getState();
  const list = currentTarget.closest('[data-server-list]');
  const rows = [...(list?.querySelectorAll('[role="row"][data-server]') ?? [])];
  view.setState({
    selection: shiftKey
      ? extendTo(
          selection,
          rows.map((row) => rowServer(row) ?? ''),
          name,
        )
      : toggle(selection, name),
  });
}

/** Name of the server in whose row an element is. */
export const rowServer = (element: EventTarget | null): string | undefined =>
  element instanceof Element
    ? element.closest<HTMLElement>('[role="row"][data-server]')?.dataset['server']
    : undefined;
