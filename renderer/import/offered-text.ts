import type { Services } from '../services.ts';

const IMPORT = '#/import?config=';

/**
 * Opens the question whether to add the servers of a text that came from outside the window. An open dialog is not replaced,
 * because something typed there would be lost.
 */
export function offerText({ manage }: Pick<Services, 'manage'>, text: string, from: string): void {
  if (manage.state.getState().dialog === undefined) return manage.open({ kind: 'paste', text, from });
  manage.setNote({ kind: 'done', words: `Close what is open first, then open ${from} again.` });
}

/** Takes the text of a link's address, which is left for that of the servers, so that no reload asks again. */
export function takeLink(services: Pick<Services, 'manage'>, hash: string): void {
  if (!hash.startsWith(IMPORT)) return;
  window.location.replace('#/servers');
  try {
    offerText(services, decodeURIComponent(hash.slice(IMPORT.length)), 'the link');
  } catch {
    // A stray percent sign; the main process writes none.
  }
}
