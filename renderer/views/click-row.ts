import type { MouseEvent } from 'react';
import type { Services } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { extendTo, toggle } from '../store/selection.ts';

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
  const { selection } = view.getState();
  view.setState({
    selection: event.shiftKey
      ? extendTo(selection, shownNames(event.currentTarget), name)
      : toggle(selection, name),
  });
}

/** Names of the servers in the order of their rows. */
export const shownNames = (row: Element): readonly string[] =>
  [
    ...(row.closest('[data-server-list]')?.querySelectorAll<HTMLElement>('[role="row"][data-server]') ?? []),
  ].map(({ dataset }) => dataset['server'] ?? '');
