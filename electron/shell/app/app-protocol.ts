import { protocol } from 'electron';
import { respondFromBundle } from './bundle-files.ts';
import { APP_SCHEME, type PageOrigin } from './page-origin.ts';

/** Makes `app:` a secure origin of its own. Before `ready`. */
export function declareAppScheme(): void {
  // The compiled scripts of the page are kept for the next launch; runtimes before Electron 27 do not know how.
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges }]);
}

/** Serves `rendererFolder` under our own origin; another host under our scheme finds nothing. Returns the undo. */
export function serveBundle(rendererFolder: string, origin: PageOrigin): () => void {
  protocol.handle(APP_SCHEME, (request) =>
    origin.owns(request.url)
      ? respondFromBundle(rendererFolder, request)
      : new Response('not found', { status: 404, headers: { 'content-type': 'text/plain' } }),
  );
  return () => protocol.unhandle(APP_SCHEME);
}
