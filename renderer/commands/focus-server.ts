import { hrefOf, parseRoute } from '../store/route-store.ts';

/** Time within which a requested change comes into view, if ever. */
const IN_VIEW_WITHIN_MS = 2000;

const homeOf = (name: string) =>
  document.querySelector<HTMLElement>(`[data-server="${CSS.escape(name)}"] [data-home]`);

/** Moves the focus to a server's row or page header, as soon as there is one. */
export function focusServer(name: string): void {
  tryEachFrame(() => {
    const home = homeOf(name);
    home?.focus();
    home?.scrollIntoView({ block: 'nearest' });
    return home !== null;
  });
}

/**
 * Moves the focus on from a server that is removed. Call it before the removal, and what it returns
 * afterwards: the page of the server gives way to all servers, and a focus that was lost goes to the next
 * row, else to the first control in view.
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
        return false; // The search repeats when the view is there.
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
