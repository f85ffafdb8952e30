import { useEffect } from 'react';
import { extendTo, keepShown, noSelection, selectAll, toggle } from '../store/selection.ts';
import type { ViewStore } from '../store/view-store.ts';
import { useServices } from '../services.ts';
import { rowServer } from './click-row.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Keys that select rows, unless the focus is in a field. The selection is limited to the rows shown. */
export function useSelectionKeys(shown: readonly string[]): void {
  const { view } = useServices();
  const names = shown.join('\n');
  useEffect(() => {
    const order = names.split('\n');
    const { selection } = view.getState();
    const kept = keepShown(selection, order);
    if (kept !== selection) view.setState({ selection: kept });
    const press = (event: KeyboardEvent) => pressed(event, order, view);
    // The listener captures, because Escape must end the selection first.
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
    // The arrow key moves the focus as without Shift; this handler only extends the range.
    const from = selection.names.has(focused) ? selection : toggle(selection, focused);
    view.setState({ selection: extendTo(from, shown, next) });
  }
}

/** Whether the keys belong to another element: a field, an open dialog, a menu or a list of choices. */
const isElsewhere = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open], [role="menu"], [popover]:popover-open') !== null ||
  (target instanceof HTMLElement &&
    (target.matches('input:not([type="checkbox"]), textarea, select') || target.isContentEditable));

const isHome = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset['home'] !== undefined;
