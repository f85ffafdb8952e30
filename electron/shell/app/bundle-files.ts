import { randomBytes } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { ownValue } from '../../../shared/own-value.ts';

/** Placeholder in index.html for the nonce of the response. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Allows only the app's own files; inline scripts and styles need this response's nonce. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const NONCE_BYTES = 16;
const HTML = 'text/html; charset=utf-8';

/** Content types by file suffix. Files with other suffixes are served as bytes that are never interpreted. */
const contentTypes: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Answers requests of the page for files inside `root`, and all other requests with 404. */
export async function respondFromBundle(
  root: string,
  request: Pick<Request, 'method' | 'url'>,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plainResponse(405, 'method not allowed');
  const path = await findBundleFile(root, request.url);
  if (path === undefined) return plainResponse(404, 'not found');
  const body = await readFile(path).catch(() => undefined);
  if (body === undefined) return plainResponse(404, 'not found'); // The path is a folder, or was removed since.
  return fileResponse(body, ownValue(contentTypes, extname(path)) ?? 'application/octet-stream');
}

/** Returns the real path of the file at `url`, with links resolved; undefined if it is not inside `root`. */
async function findBundleFile(root: string, url: string): Promise<string | undefined> {
  const relative = pathInUrl(url);
  if (relative === undefined) return undefined;
  try {
    const [realRoot, realFile] = await Promise.all([realpath(root), realpath(join(root, relative))]);
    return realFile.startsWith(realRoot + sep) ? realFile : undefined;
  } catch {
    return undefined; // No such file.
  }
}

/** Decodes the path once. Refuses anything that a file system may read as more than plain names below the root. */
function pathInUrl(url: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    const isPlain = !/[\\:\0]/.test(path) && !path.split('/').includes('..');
    return isPlain ? path : undefined;
  } catch {
    return undefined; // The address is no URL, or has a broken escape.
  }
}

function fileResponse(body: Buffer, contentType: string): Response {
  // Every response has its own nonce, and only HTML, which can contain it, gets it.
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const content = contentType === HTML ? body.toString('utf8').replaceAll(NONCE_PLACEHOLDER, nonce) : body;
  return new Response(content, {
    status: 200,
    headers: { ...fixedHeaders(nonce), 'content-type': contentType },
  });
}

function plainResponse(status: number, text: string): Response {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return new Response(text, { status, headers: { ...fixedHeaders(nonce), 'content-type': 'text/plain' } });
}

const fixedHeaders = (nonce: string) => ({
  'content-security-policy': contentSecurityPolicy(nonce),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});
