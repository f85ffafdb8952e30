/** Stands in index.html wherever the nonce of the response belongs. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Everything is forbidden but our own files; inline scripts and styles only with this response's nonce. */
export function contentSecurityPolicy(nonce: string): string {
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
