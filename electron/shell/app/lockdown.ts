import { app, type Session, type WebContents } from 'electron';
import { sealNames, sealSession } from './network-seal.ts';
import type { PageOrigin } from './page-origin.ts';

/**
 * Keeps all pages from navigating, opening, embedding, requesting, loading or connecting outside `origin`. Must run before
 * Electron's event `ready`. @param onFailure called if a session's connections could not be blocked
 */
export function lockDownPages(origin: PageOrigin, onFailure: (error: unknown) => void): void {
  app.on('session-created', (session) => {
    lockSession(session, origin);
    sealSession(session, origin).catch(onFailure);
  });
  app.on('web-contents-created', (_event, contents) => lockContents(contents, origin));
  app.whenReady().then(sealNames).catch(onFailure);
}

function lockSession(session: Session, origin: PageOrigin): void {
  // Electron grants every permission by default.
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // The spell checker would download its dictionaries.
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !origin.mayLoad(url) }));
}

function lockContents(contents: WebContents, origin: PageOrigin): void {
  const stayHome = (details: { readonly url: string; preventDefault: () => void }) => {
    if (!origin.owns(details.url)) details.preventDefault();
  };
  contents.on('will-navigate', stayHome);
  contents.on('will-frame-navigate', stayHome);
  contents.on('will-redirect', stayHome);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // A request filter does not see WebRTC packets. Without a proxy this policy allows WebRTC no UDP packets.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
