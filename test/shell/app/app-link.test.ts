import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fragmentOfLink, linkIn, LinkInbox } from '../../../electron/shell/app/app-link.ts';

describe('a link to the app', () => {
  it('is found among the arguments of a start', () => {
    expect(linkIn(['/opt/app', '--hidden', 'mcp-control-panel://open/usage'])).toBe(
      'mcp-control-panel://open/usage',
    );
    expect(linkIn(['/opt/mcp-control-panel', '--hidden'])).toBeUndefined();
  });

  it.each([
    ['mcp-control-panel://open/usage', '#/usage'],
    ['MCP-Control-Panel://open/servers/git%20hub/logs?at=5', '#/servers/git%20hub/logs?at=5'],
    ['mcp-control-panel://import?config=%7B%22a%22%3A1%7D', '#/import?config=%7B%22a%22%3A1%7D'],
    ['mcp-control-panel://import/?config=npx%20-y%20x', '#/import?config=npx%20-y%20x'],
  ])('opens a view or a question: %s', (link, fragment) => {
    expect(fragmentOfLink(link)).toBe(fragment);
  });

  it.each([
    'mcp-control-panel:',
    'mcp-control-panel://',
    'mcp-control-panel://remove/github',
    'mcp-control-panel://openx/usage',
    'mcp-control-panel://import',
    'mcp-control-panel://import?config=',
    'mcp-control-panel://import?command=rm',
    'mcp-control-panel://open/"><script>',
    'mcp-control-panel://open/a b',
    'mcp-control-panel://open/#/settings',
    'mcp-control-panel://open/\n--restore-clients',
    'mcp-control-panel:open/usage',
    'mcp-control-panel:--restore-clients',
    'https://open/usage',
    `mcp-control-panel://import?config=${'a'.repeat(40_000)}`,
  ])('does nothing where it is anything else: %s', (link) => {
    expect(fragmentOfLink(link)).toBeUndefined();
  });

  it('leads only to fragments of the page, whatever it says', () => {
    fc.assert(
      fc.property(fc.constantFrom('open/', 'import?config=', 'open?', ''), fc.string(), (start, text) => {
        const fragment = fragmentOfLink(`mcp-control-panel://${start}${text}`);
        if (fragment === undefined) return;
        const url = new URL(`app://panel/index.html${fragment}`);
        expect([url.protocol, url.host, url.pathname]).toEqual(['app:', 'panel', '/index.html']);
      }),
    );
  });
});

describe('the links of an app', () => {
  it('open the first page with, and then the window', () => {
    let sent: (event: { preventDefault(): void }, url: string) => void = () => undefined;
    const app = { on: (_: 'open-url', listener: typeof sent) => (sent = listener) };
    const links = new LinkInbox(app, ['app', 'mcp-control-panel://open/usage']);
    expect(links.first).toBe('#/usage');
    const opened: string[] = [];
    links.follow((fragment) => opened.push(fragment));
    sent({ preventDefault: () => opened.push('prevented') }, 'mcp-control-panel://open/logs');
    links.take('mcp-control-panel://quit');
    expect(opened).toEqual(['prevented', '#/logs']);
  });
});
