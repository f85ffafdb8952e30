import { describe, expect, it } from 'vitest';
import { bundleOrigin, devServerOrigin } from '../../../electron/shell/app/page-origin.ts';

describe('bundleOrigin', () => {
  const origin = bundleOrigin();

  it('owns its own pages', () => {
    expect(origin.owns(origin.pageUrl)).toBe(true);
    expect(origin.owns('app://bundle/index.html#/servers/a')).toBe(true);
  });

  it.each([
    'app://bundle.evil/index.html',
    'app://evil/index.html',
    'app://bundle:80/index.html',
    'app://bundle@evil/index.html',
    'app://user@bundle/index.html',
    'apps://bundle/index.html',
    'file:///index.html',
    'https://bundle/index.html',
    'http://localhost/',
    'data:text/html,<p>',
    'blob:app://bundle/1',
    'about:blank',
    'about:srcdoc',
    'javascript:0',
    'bundle/index.html',
    '',
  ])('does not own %j', (url) => {
    expect(origin.owns(url)).toBe(false);
  });

  it('lets pages load their own origin and what stays in the process, nothing else', () => {
    for (const url of [
      'app://bundle/a.js',
      'data:image/png,x',
      'blob:app://bundle/1',
      'devtools://devtools/x',
    ]) {
      expect(origin.mayLoad(url)).toBe(true);
    }
    for (const url of [
      'https://example.com',
      'http://127.0.0.1:1',
      'ws://localhost',
      'file:///etc/passwd',
      'app://evil/',
      '?',
    ]) {
      expect(origin.mayLoad(url)).toBe(false);
    }
  });
});

describe('devServerOrigin', () => {
  const origin = devServerOrigin('http://localhost:5173');

  it('owns pages of exactly that server', () => {
    expect(origin.owns('http://localhost:5173/#/x')).toBe(true);
    for (const url of [
      'http://localhost:5174/',
      'https://localhost:5173/',
      'http://localhost:5173.evil/',
      'app://bundle/',
    ]) {
      expect(origin.owns(url)).toBe(false);
    }
  });

  it('lets pages load from it, with its socket for hot reloading', () => {
    expect(origin.mayLoad('ws://localhost:5173/?token=x')).toBe(true);
    expect(origin.mayLoad('ws://localhost:9229/')).toBe(false);
    expect(origin.mayLoad('https://example.com')).toBe(false);
  });
});
