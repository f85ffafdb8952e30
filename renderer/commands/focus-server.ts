import { hrefOf, parseRoute } from '../store/route-store.ts';

/** Maximum milliseconds to wait until a requested change appears on the page. */
const IN_VIEW_WITHIN_MS = 2000;

const homeOf = (name: string) =>
  document.querySelector<HTMLElement>(`[data-server="${CSS.escape(name)}"] [data-home]`);

/** Moves the focus to the row or page header of a server as soon as that element exists. */
export function focusServer(name: string): void {
  tryEachFrame(() => {
    const home = homeOf(name);
    home?.focus();
    home?.scrollIntoView({ block: 'nearest' });
    return home !== null;
  });
}

/**
 * Prepares to move the focus away from a server that is about to be removed. Call it before the removal, and call the returned
 * function afterwards. The returned function leaves the page of the removed server. If the focus was lost, it focuses the
 * neighbouring row, or else the first control in view.
 */
export function moveOnFrom(name: string): () => void {
  const rows = [...document.querySelectorAll<HTMLElement>('[role="row"][data-server]')];
  const names = rows.map((row) => row.dataset['server'] ?? '');
  const at = names.indexOf(name);
  const neighbour = names[at + 1] ?? names[at - 1];
  return () =>
    tryEachFrame(() => {
      if (homeOf(name) !== null || document.querySelector('dialog[open]') !== null) return false;
      const route = parseRoute(window.location.hash);
      if (route.view === 'server' && route.name === name) {
        window.location.hash = hrefOf({ view: 'servers' });
        return false; // The next frame tries again, once the view is shown.
      }
      if (document.activeElement !== document.body) return true;
      const home = neighbour === undefined ? null : homeOf(neighbour);
      (home ?? document.querySelector<HTMLElement>('main :is(a, button)'))?.focus();
      return true;
    });
}

function tryEachFrame(attempt: () => boolean): void {
  const deadline = performance.now() + IN_VIEW_WITHIN_MS;
  const look = () => {
    if (!attempt() && performance.now() < deadline) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
