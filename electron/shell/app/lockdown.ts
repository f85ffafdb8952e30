import { app, type Session, type WebContents } from 'electron';
import { parsedUrl } from '../../../shared/parsed.ts';
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
  // The spell checker would download dictionaries.
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
  // The request filter of the session does not see WebRTC packets. This policy permits them only through a proxy, so no UDP
  // packets are sent.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Unreachable address: no process can listen on port 0, so the system refuses the connection before a packet is sent. */
const NOWHERE = '127.0.0.1:0';

/**
 * Routes every connection of a session to an unreachable proxy. Requests are already cancelled individually (`lockSession`),
 * but Chromium also opens connections that are not requests: for `<link rel=preconnect>`, and for WebRTC over TCP. The server
 * of a development build stays reachable. @throws when Chromium rejects the proxy settings
 */
async function sealSession(session: Session, origin: PageOrigin): Promise<void> {
  const { protocol, host } = parsedUrl(origin.pageUrl) ?? {};
  const ownServer = protocol === 'http:' || protocol === 'https:' ? [host] : [];
  // By default, Chromium uses no proxy for loopback addresses. The rule `<-loopback>` removes this exception.
  const proxyBypassRules = ['<-loopback>', ...ownServer].join(';');
  await session.setProxy({ mode: 'fixed_servers', proxyRules: NOWHERE, proxyBypassRules });
}

/** Disables name resolution: a hint like `<link rel=dns-prefetch>` could leak data. Must run after Electron's event `ready`. */
function sealNames(): void {
  app.configureHostResolver({ secureDnsMode: 'secure', secureDnsServers: [`https://${NOWHERE}/`] });
}

/** Restores network access for the session that fetches updates, when the user requests updates. */
export async function unseal(session: Session): Promise<void> {
  app.configureHostResolver({ secureDnsMode: 'automatic', secureDnsServers: [] });
  await session.setProxy({ mode: 'system' });
}
