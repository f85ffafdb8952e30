import { app, type Session, type WebContents } from 'electron';
import { sealNames, sealSession } from './network-seal.ts';
import type { PageOrigin } from './page-origin.ts';

/**
 * From now on no page of this process goes, opens, embeds, asks, loads or connects to anything outside `origin`. Before
 * `ready`. @param onFailure a session whose connections could not be closed
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
  // Electron's own default is to grant every permission.
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // The spell checker would fetch its dictionaries.
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
  // A policy for requests does not see the packets of WebRTC. Those that go through a proxy find none.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
