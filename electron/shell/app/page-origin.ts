/** The scheme of our own pages. */
export const APP_SCHEME = 'app';
const APP_HOST = 'bundle';

/** Schemes that reach nothing outside this process. */
const innerProtocols = new Set(['devtools:', 'data:', 'blob:']);

/** The origin of the window's page, and therefore what the page may talk to. */
export interface PageOrigin {
  readonly pageUrl: string;
  /** True for pages of exactly this origin. */
  owns(url: string): boolean;
  /** True for what a page may load: its own origin, and what never leaves this process. */
  mayLoad(url: string): boolean;
}

/** The built app: `app://bundle`, and nothing from a network. */
export function bundleOrigin(): PageOrigin {
  const owns = (url: string) => {
    const parsed = parseUrl(url);
    return parsed?.protocol === `${APP_SCHEME}:` && parsed.host === APP_HOST && parsed.username === '';
  };
  return {
    pageUrl: `${APP_SCHEME}://${APP_HOST}/index.html`,
    owns,
    mayLoad: (url) => owns(url) || isInner(url),
  };
}

/** The development server, with its WebSocket for hot reloading. */
export function devServerOrigin(serverUrl: string): PageOrigin {
  const { origin, host } = new URL(serverUrl);
  const owns = (url: string) => parseUrl(url)?.origin === origin;
  const isHotReload = (url: string) =>
    /^wss?:$/.test(parseUrl(url)?.protocol ?? '') && parseUrl(url)?.host === host;
  return { pageUrl: serverUrl, owns, mayLoad: (url) => owns(url) || isHotReload(url) || isInner(url) };
}

const isInner = (url: string) => innerProtocols.has(parseUrl(url)?.protocol ?? '');

/** The parsed URL; undefined for a text that is none. */
export function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined; // Nobody's: every question about it is answered with no.
  }
}
