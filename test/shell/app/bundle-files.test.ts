import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { replyFromBundle } from '../../../electron/shell/app/bundle-files.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const folder = sharedFolder('bundle-files-');
const root = join(folder, 'renderer');

beforeAll(() => {
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(
    join(root, 'index.html'),
    '<meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__">',
  );
  writeFileSync(join(root, 'assets', 'index.js'), 'export {};');
  writeFileSync(join(root, 'assets', 'a b.svg'), '<svg/>');
  writeFileSync(join(root, 'assets', 'odd.xyz'), '?');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  mkdirSync(join(folder, 'renderer-old'));
  writeFileSync(join(folder, 'renderer-old', 'x.js'), 'secret');
  if (process.platform !== 'win32') {
    symlinkSync(join(folder, 'secret.txt'), join(root, 'link.txt'));
    symlinkSync(folder, join(root, 'up'));
  }
});

const get = (path: string, method = 'GET') => replyFromBundle(root, { method, url: `app://bundle${path}` });

describe('replyFromBundle', () => {
  it.each([
    ['/index.html', 'text/html; charset=utf-8'],
    ['/assets/index.js', 'text/javascript; charset=utf-8'],
    ['/assets/a%20b.svg', 'image/svg+xml'],
    ['/assets/index.js?v=1#top', 'text/javascript; charset=utf-8'],
    ['/assets/odd.xyz', 'application/octet-stream'],
  ])('serves %s as %s, never to be guessed otherwise', (path, type) => {
    const response = get(path);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe(type);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/%252e%252e%252fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/%2e%2e%2frenderer-old%2fx.js',
    '//etc/passwd',
    '/%2fetc%2fpasswd',
    '/etc/passwd',
    '/C:%5cWindows%5cwin.ini',
    '/C:/Windows/win.ini',
    '/index.html%00.js',
    '/index.html::$DATA',
    '/%',
    '/link.txt',
    '/up/secret.txt',
    '/assets',
    '/assets/',
    '/',
    '',
    '/missing.js',
  ])('answers %s with 404 and nothing of the disk', (path) => {
    const response = get(path);
    expect(response.statusCode).toBe(404);
    expect(response.data.toString()).toBe('not found');
  });

  it('refuses every method that would change something', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      expect(get('/index.html', method).statusCode).toBe(405);
    }
    expect(get('/index.html', 'HEAD').statusCode).toBe(200);
  });

  it('gives each page its own nonce, the same in header and page', () => {
    const nonces = Array.from({ length: 20 }, () => {
      const response = get('/index.html');
      const text = response.data.toString();
      const nonce = /content="([^"]+)"/.exec(text)?.[1] ?? '';
      expect(text).not.toContain('__CSP_NONCE__');
      expect(response.headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonce}'`);
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
      return nonce;
    });
    expect(new Set(nonces).size).toBe(20);
  });

  it('forbids by its policy all that the page does not need', () => {
    const policy = get('/index.html').headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    for (const forbidden of ['unsafe-inline', 'unsafe-eval', '*', 'http:', 'https:', 'blob:', 'wasm']) {
      expect(policy).not.toContain(forbidden);
    }
    for (const name of ['object-src', 'base-uri', 'form-action', 'frame-ancestors']) {
      expect(policy).toContain(`${name} 'none'`);
    }
  });
});
