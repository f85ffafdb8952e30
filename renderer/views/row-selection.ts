import { type MouseEvent, useEffect } from 'react';
import { type Services, useServices } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { extendTo, toggle, keepShown, noSelection, selectAll } from '../store/selection.ts';
import type { ViewStore } from '../store/view-store.ts';
import { ownValue } from '../../shared/own-value.ts';

/**
 * Handles a click anywhere in the row. A plain click opens the server's page; the link inside the row is for keyboard and
 * screen readers. A click with Ctrl or Cmd toggles the selection of the row. A click with Shift selects all rows up to this
 * one.
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
    // A drag that selects text does not open the page.
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

/** Name of the server whose row contains the element. */
export const rowServer = (element: EventTarget | null): string | undefined =>
  element instanceof Element
    ? element.closest<HTMLElement>('[role="row"][data-server]')?.dataset['server']
    : undefined;

/** Handles the keys that select rows, unless a field has the focus. Servers no longer shown are removed from the selection. */
export function useSelectionKeys(shown: readonly string[]): void {
  const { view } = useServices();
  const names = shown.join('\n');
  useEffect(() => {
    const order = names.split('\n');
    const { selection } = view.getState();
    const kept = keepShown(selection, order);
    if (kept !== selection) view.setState({ selection: kept });
    const press = (event: KeyboardEvent) => pressed(event, order, view);
    // The listener uses the capture phase, so that Escape ends the selection before any other handler sees the key.
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, [view, names]);
}

function pressed(event: KeyboardEvent, shown: readonly string[], view: ViewStore): void {
  if (event.altKey || isElsewhere(event.target)) return;
  const { selection } = view.getState();
  const focused = rowServer(event.target);
  const take = (next: typeof selection) => {
    event.preventDefault();
    view.setState({ selection: next });
  };
  const hasModifier = event.ctrlKey || event.metaKey;
  if (hasModifier && !event.shiftKey && event.key.toLowerCase() === 'a') take(selectAll(shown));
  else if (event.key === 'Escape' && selection.names.size > 0) take(noSelection);
  else if (focused === undefined) return;
  else if (event.key === ' ' && isHome(event.target)) take(toggle(selection, focused));
  else if (event.shiftKey && !hasModifier && event.key.startsWith('Arrow')) {
    const step = ownValue({ ArrowDown: 1, ArrowUp: -1 }, event.key);
    const next = step === undefined ? undefined : shown[shown.indexOf(focused) + step];
    if (next === undefined) return;
    // Another handler moves the focus, as for an arrow key without Shift. This handler only extends the selected range.
    const from = selection.names.has(focused) ? selection : toggle(selection, focused);
    view.setState({ selection: extendTo(from, shown, next) });
  }
}

/** Whether a key press is meant for something else: a field, an open dialog, a menu or a popover. */
const isElsewhere = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open], [role="menu"], [popover]:popover-open') !== null ||
  (target instanceof HTMLElement &&
    (target.matches('input:not([type="checkbox"]), textarea, select') || target.isContentEditable));

const isHome = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset['home'] !== undefined;
