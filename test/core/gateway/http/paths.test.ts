import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routeOf } from '../../../../electron/core/gateway/http/guard.ts';

const ofFiles = { kind: 'mcp', server: 'files' };

describe('where a request target leads', () => {
  it.each<[string, object]>([
    ['/servers/files/mcp', ofFiles],
    ['/servers/files/mcp?x=/../..', ofFiles],
    ['/servers/f%69les/mcp', ofFiles],
    ['/servers/a.b_c-d/mcp', { kind: 'mcp', server: 'a.b_c-d' }],
    ['/metrics', { kind: 'page', page: 'metrics' }],
    ['/healthz?x', { kind: 'page', page: 'healthz' }],
  ])('%s has a place', (target, route) => {
    expect(routeOf(target)).toEqual(route);
  });

  it.each([
    '/',
    '/servers',
    '/servers/files/sse',
    '/servers/files/mcp/more',
    '/server/files/mcp',
    '/metrics/more',
    '/.well-known/oauth-protected-resource',
    '/servers/a%20b/mcp',
    '/servers/%ff/mcp',
    `/servers/${'n'.repeat(65)}/mcp`,
  ])('%s is none of ours', (target) => {
    expect(routeOf(target)).toEqual({ kind: 'none' });
  });

  it.each([
    '',
    '*',
    'servers/files/mcp',
    'http://127.0.0.1/servers/files/mcp',
    '//servers/files/mcp',
    '/servers//files/mcp',
    '/servers/files/mcp/',
    '/servers/./mcp',
    '/servers/../mcp',
    '/servers/%2e%2e/mcp',
    '/servers/a%2Fb/mcp',
    '/servers/a%5cb/mcp',
    '/servers/a%2569/mcp',
    '/servers/a%00/mcp',
    '/servers/a\\b/mcp',
    '/servers/files/mcp#part',
    '/servers/fi les/mcp',
    '/servers/fïles/mcp',
    `/${'n'.repeat(1024)}`,
  ])('%s is odd', (target) => {
    expect(routeOf(target)).toEqual({ kind: 'odd' });
  });

  it('is the longest path that there may be, and no longer', () => {
    expect(routeOf(`/${'n'.repeat(1023)}`).kind).toBe('none');
    expect(routeOf(`/metrics?${'n'.repeat(5000)}`).kind).toBe('page');
  });

  it('has one spelling for each server, but for percent signs in its name', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.string(), (path, more) => {
        for (const target of [path, `${path}${more}`, `/servers${path}/mcp`]) {
          const route = routeOf(target);
          if (route.kind !== 'mcp') continue;
          const [written = ''] = target.split('?');
          expect(decodeURIComponent(written)).toBe(`/servers/${route.server}/mcp`);
        }
      }),
    );
  });
});
