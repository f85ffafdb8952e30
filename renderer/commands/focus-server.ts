import { hrefOf, parseRoute } from '../store/route-store.ts';

/** Time within which a requested change appears on the page; after that the search ends. */
const IN_VIEW_WITHIN_MS = 2000;

const homeOf = (name: string) =>
  document.querySelector<HTMLElement>(`[data-server="${CSS.escape(name)}"] [data-home]`);

/** Moves the focus to a server's row or page header as soon as it exists. */
export function focusServer(name: string): void {
  tryEachFrame(() => {
    const home = homeOf(name);
    home?.focus();
    home?.scrollIntoView({ block: 'nearest' });
    return home !== null;
  });
}

/**
 * Prepares moving the focus from a server that is removed. Called before the removal; the returned function is called
 * after it. That function leaves the page of the server for all servers, and moves a lost focus to the next row, else
 * to the first control in view.
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
        return false; // The search repeats once the view is shown.
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
