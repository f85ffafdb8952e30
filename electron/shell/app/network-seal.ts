import { app, type Session } from 'electron';
import { parseUrl, type PageOrigin } from './page-origin.ts';

/** Nobody can listen on port 0: the system refuses the connection before a packet leaves. */
const NOWHERE = '127.0.0.1:0';

/**
 * Leads every connection of a session nowhere. Requests are cancelled one by one (lockdown.ts), and Chromium opens
 * connections that are no requests: for `<link rel=preconnect>`, and for WebRTC over TCP. The server of a development
 * build is reached all the same. @throws when Chromium does not take it
 */
export async function sealSession(session: Session, origin: PageOrigin): Promise<void> {
  const { protocol, host } = parseUrl(origin.pageUrl) ?? {};
  const ownServer = protocol === 'http:' || protocol === 'https:' ? [host] : [];
  // The first rule is needed because Chromium never leads loopback through a proxy otherwise.
  const proxyBypassRules = ['<-loopback>', ...ownServer].join(';');
  await session.setProxy({ mode: 'fixed_servers', proxyRules: NOWHERE, proxyBypassRules });
}

/** Has Chromium resolve no name: a hint such as `<link rel=dns-prefetch>` could tell anything in one. After `ready`. */
export function sealNames(): void {
  app.configureHostResolver({ secureDnsMode: 'secure', secureDnsServers: [`https://${NOWHERE}/`] });
}

/** The one session that fetches updates reaches the network again, from when a person asks for them. */
export async function unseal(session: Session): Promise<void> {
  app.configureHostResolver({ secureDnsMode: 'automatic', secureDnsServers: [] });
  await session.setProxy({ mode: 'system' });
}
