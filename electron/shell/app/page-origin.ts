import { parsedUrl } from '../../../shared/parsed.ts';
/** Scheme of the app's own pages. */
export const APP_SCHEME = 'app';
const APP_HOST = 'bundle';

/** Schemes that cannot reach anything outside this process. */
const innerProtocols = new Set(['devtools:', 'data:', 'blob:']);

/** Origin of the app window's page, which limits what the page may contact. */
export interface PageOrigin {
  readonly pageUrl: string;
  /** Whether the URL has exactly this origin. */
  owns(url: string): boolean;
  /** Whether a page may load the URL: its own origin, or a scheme that stays within this process. */
  mayLoad(url: string): boolean;
}

/** Origin of the built app, `app://bundle`, which involves no network. */
export function bundleOrigin(): PageOrigin {
  const owns = (url: string) => {
    const parsed = parsedUrl(url);
    return parsed?.protocol === `${APP_SCHEME}:` && parsed.host === APP_HOST && parsed.username === '';
  };
  return {
    pageUrl: `${APP_SCHEME}://${APP_HOST}/index.html`,
    owns,
    mayLoad: (url) => owns(url) || isInner(url),
  };
}

/** Origin of the development server, including its WebSocket for hot reloading. */
export function devServerOrigin(serverUrl: string): PageOrigin {
  const { origin, host } = new URL(serverUrl);
  const owns = (url: string) => parsedUrl(url)?.origin === origin;
  const isHotReload = (url: string) =>
    /^wss?:$/.test(parsedUrl(url)?.protocol ?? '') && parsedUrl(url)?.host === host;
  return { pageUrl: serverUrl, owns, mayLoad: (url) => owns(url) || isHotReload(url) || isInner(url) };
}

const isInner = (url: string) => innerProtocols.has(parsedUrl(url)?.protocol ?? '');
