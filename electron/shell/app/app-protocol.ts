import { protocol } from 'electron';
import { notFound, replyFromBundle } from './bundle-files.ts';
import { APP_SCHEME, type PageOrigin } from './page-origin.ts';

/** Makes `app:` a secure origin that is separate from all others. Must run before Electron's event `ready`. */
export function declareAppScheme(): void {
  // Compiled scripts of the page are cached for the next app run; runtimes before Electron 27 ignore this.
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges }]);
}

/** Serves `rendererFolder` under the page's origin; other hosts of the scheme get 404. Returns a function that stops it. */
export function serveBundle(rendererFolder: string, origin: PageOrigin): () => void {
  // The newer `protocol.handle` is not used, because it would load `fetch` during the first request, and send each file as a
  // stream through the event loop.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  protocol.registerBufferProtocol(APP_SCHEME, (request, reply) =>
    reply(origin.owns(request.url) ? replyFromBundle(rendererFolder, request) : notFound()),
  );
  return () => protocol.unhandle(APP_SCHEME);
}
