import { parsedUrl } from '../../../shared/parsed.ts';
import { app, type Session } from 'electron';
import type { PageOrigin } from './page-origin.ts';

/** Unreachable address: no process can listen on port 0, so the system refuses the connection before a packet is sent. */
const NOWHERE = '127.0.0.1:0';

/**
 * Routes every connection of a session to an unreachable proxy. Requests are cancelled one by one (lockdown.ts), but Chromium
 * also opens connections that are no requests: for `<link rel=preconnect>`, and for WebRTC over TCP. The server of a
 * development build stays reachable. @throws when Chromium rejects the proxy settings
 */
export async function sealSession(session: Session, origin: PageOrigin): Promise<void> {
  const { protocol, host } = parsedUrl(origin.pageUrl) ?? {};
  const ownServer = protocol === 'http:' || protocol === 'https:' ? [host] : [];
  // The first rule is needed because Chromium otherwise never uses a proxy for loopback.
  const proxyBypassRules = ['<-loopback>', ...ownServer].join(';');
  await session.setProxy({ mode: 'fixed_servers', proxyRules: NOWHERE, proxyBypassRules });
}

/**
 * Disables name resolution, because a hint such as `<link rel=dns-prefetch>` could leak data in a name. Must run after
 * Electron's event `ready`.
 */
export function sealNames(): void {
  app.configureHostResolver({ secureDnsMode: 'secure', secureDnsServers: [`https://${NOWHERE}/`] });
}

/** Restores network access for the session that fetches updates, when the user asks for updates. */
export async function unseal(session: Session): Promise<void> {
  app.configureHostResolver({ secureDnsMode: 'automatic', secureDnsServers: [] });
  await session.setProxy({ mode: 'system' });
}
