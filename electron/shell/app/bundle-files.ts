import { randomBytes } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { ownValue } from '../../../shared/own-value.ts';

/** Placeholder in index.html for the nonce of the reply. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Returns a policy that allows only the app's own files; inline scripts and styles need the nonce of this reply. */
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

/** Content types by file suffix. Files with other suffixes are served as bytes that the page never interprets. */
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

/** Answer to a request of the page. */
interface BundleReply {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly data: Buffer;
}

/**
 * Answers the page's requests for files inside `root`; all other requests get 404. Reads synchronously, because an event-loop
 * tick for each step would delay the first view more than the reading does.
 */
export function replyFromBundle(
  root: string,
  request: { readonly method: string; readonly url: string },
): BundleReply {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plainReply(405, 'method not allowed');
  try {
    const [realRoot, realFile] = [realpathSync(root), realpathSync(join(root, pathInUrl(request.url)))];
    if (!realFile.startsWith(realRoot + sep)) return notFound();
    return fileReply(
      readFileSync(realFile),
      ownValue(contentTypes, extname(realFile)) ?? 'application/octet-stream',
    );
  } catch {
    return notFound(); // The file does not exist, the path leads to a folder, or `pathInUrl` refused it.
  }
}

/** Decodes the path once. @throws for anything that a file system may interpret as more than plain names below the root */
function pathInUrl(url: string): string {
  const path = decodeURIComponent(new URL(url).pathname);
  if (/[\\:\0]/.test(path) || path.split('/').includes('..')) throw new Error('no plain path');
  return path;
}

function fileReply(body: Buffer, contentType: string): BundleReply {
  // Every reply has its own nonce. Only HTML files contain the placeholder for it.
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const isHtml = contentType === HTML;
  const data = isHtml ? Buffer.from(body.toString('utf8').replaceAll(NONCE_PLACEHOLDER, nonce)) : body;
  return { statusCode: 200, headers: { ...fixedHeaders(nonce), 'content-type': contentType }, data };
}

export const notFound = (): BundleReply => plainReply(404, 'not found');

function plainReply(statusCode: number, text: string): BundleReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const headers = { ...fixedHeaders(nonce), 'content-type': 'text/plain' };
  return { statusCode, headers, data: Buffer.from(text) };
}

const fixedHeaders = (nonce: string) => ({
  'content-security-policy': contentSecurityPolicy(nonce),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});
