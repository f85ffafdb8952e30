import { serverNamePattern } from '../../../../shared/server-names.ts';

/** What a request is for. */
export type Route =
  | { readonly kind: 'mcp'; readonly server: string }
  | { readonly kind: 'page'; readonly page: 'metrics' | 'healthz' }
  /** Nothing of ours. */
  | { readonly kind: 'none' }
  /** Written so that two programs might read two paths in it. */
  | { readonly kind: 'odd' };

const LONGEST_PATH = 1024;
const VISIBLE_ASCII = /^[!-~]*$/;
/** Encoded dots, slashes and backslashes, percent signs and NUL: nobody who means well writes them. */
const TRICKS = /%(?:2e|2f|5c|25|00)/i;
/** An empty segment, `.` or `..`. */
const ODD_SEGMENT = /\/\.{0,2}(?:\/|$)/;

/**
 * Where a request target leads. Each spelling means one path or none: nothing is normalised, and only the name of a server
 * is percent-decoded, once. The query says nothing. Pure; never throws.
 */
export function routeOf(target: string): Route {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (isOdd(path)) return { kind: 'odd' };
  const [, first, second, third, ...rest] = path.split('/');
  if (second === undefined && (first === 'metrics' || first === 'healthz'))
    return { kind: 'page', page: first };
  if (first !== 'servers' || third !== 'mcp' || rest.length > 0) return { kind: 'none' };
  const server = decoded(second);
  return server !== undefined && serverNamePattern.test(server) ? { kind: 'mcp', server } : { kind: 'none' };
}

/** An absolute form or `*`, empty segments, dots, backslashes, a fragment, and what no client sends unencoded. */
function isOdd(path: string): boolean {
  if (!path.startsWith('/') || path.length > LONGEST_PATH || !VISIBLE_ASCII.test(path)) return true;
  if (TRICKS.test(path) || path.includes('\\') || path.includes('#')) return true;
  return path !== '/' && ODD_SEGMENT.test(path);
}

function decoded(segment = ''): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // A percent sign without two digits, or no UTF-8.
  }
}
