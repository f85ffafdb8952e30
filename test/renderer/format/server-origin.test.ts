import { describe, expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import { nameParts } from '../../../renderer/ui/middle-cut.tsx';
import { describeOrigin } from '../../../renderer/format/server-origin.ts';

describe('describeOrigin()', () => {
  it.each([
    ['npx -y @modelcontextprotocol/server-github', 'server-github'],
    ['npx -y mcp-server-kubernetes@1.2.0 --verbose', 'mcp-server-kubernetes@1.2.0'],
    ['npx --package @acme/tools run-it', 'run-it'],
    ['C:\\node\\npx.cmd -y some-server', 'some-server'],
    ['uvx --from git+https://example.org/x mcp-server-git', 'mcp-server-git'],
    ['uvx mcp-server-time --local-timezone=UTC', 'mcp-server-time'],
    ['uv --directory /srv/weather run weather.py', 'weather.py'],
    ['pnpm dlx @acme/server', '@acme/server'],
    ['pnpm exec stock-server', 'stock-server'],
    ['uv run stock-server', 'stock-server'],
    ['uv --directory /srv/stock tool run stock-server', 'stock-server'],
    ['bun run stock', 'stock'],
    ['docker compose run stock', 'compose'],
    [
      'docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server',
      'ghcr.io/github/github-mcp-server',
    ],
    ['docker run -i --memory 1g --pull always acme/stock --verbose', 'acme/stock'],
    ['podman --url unix:///x container run -itv /a:/b acme/stock', 'acme/stock'],
    ['nerdctl run -i acme/stock', 'acme/stock'],
    ['docker exec -i box server', 'box'],
    ['node node_modules/@modelcontextprotocol/server-memory/dist/index.js stdio', 'server-memory'],
    ['node /srv/tools/build/index.mjs', 'index.mjs'],
    ['python3 -m mcp_server_fetch', 'python3'],
    ['/usr/local/bin/github-mcp-server stdio', 'github-mcp-server'],
    ['', ''],
  ])('says of %j what it is: %j', (target, what) => {
    expect(describeOrigin({ transport: 'stdio', target })).toBe(what);
  });

  it('says where a remote server is, and the version that a server told', () => {
    const remote: Pick<ServerView, 'transport' | 'target'> = {
      transport: 'http',
      target: 'https://mcp.example.org:8443/v1/mcp',
    };
    expect(describeOrigin({ ...remote, serverInfo: { name: 'x', version: '2.1.0' } })).toBe(
      'mcp.example.org:8443 · v2.1.0',
    );
    expect(describeOrigin({ ...remote, target: 'no address' })).toBe('no address');
    const told = { transport: 'stdio', target: 'npx a', serverInfo: { name: 'x', version: 'beta' } } as const;
    expect(describeOrigin(told)).toBe('a · beta');
  });
});

describe('nameParts()', () => {
  it('keeps the end of names that begin alike', () => {
    const [one, other] = ['sqlite', 'postgres'].map((end) =>
      nameParts(`io.github.modelcontextprotocol.${end}-reader`),
    );
    expect(one?.tail).toBe('.sqlite-reader');
    expect(other?.tail).toBe('.postgres-reader');
  });

  it('leaves short names whole, and never loses a letter', () => {
    expect(nameParts('filesystem')).toEqual({ head: 'filesystem', tail: '' });
    for (const name of ['a'.repeat(64), `${'long-'.repeat(9)}end`, 'one.two.three.four.five.six'])
      expect(nameParts(name).head + nameParts(name).tail).toBe(name);
  });
});
