import { protocol } from 'electron';
import { respondFromBundle } from './bundle-files.ts';
import { APP_SCHEME, type PageOrigin } from './page-origin.ts';

/** Makes `app:` a secure origin of its own. Must run before Electron's event `ready`. */
export function declareAppScheme(): void {
  // Compiled scripts of the page are cached for the next app run; runtimes before Electron 27 ignore this.
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges }]);
}

/**
 * Serves `rendererFolder` under the page's origin; other hosts of the scheme get 404. Returns a function that ends the
 * serving.
 */
export function serveBundle(rendererFolder: string, origin: PageOrigin): () => void {
  protocol.handle(APP_SCHEME, (request) =>
    origin.owns(request.url)
      ? respondFromBundle(rendererFolder, request)
      : new Response('not found', { status: 404, headers: { 'content-type': 'text/plain' } }),
  );
  return () => protocol.unhandle(APP_SCHEME);
}
