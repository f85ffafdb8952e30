import { parse as parseToml } from 'smol-toml';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientPrograms, systemOf, systems } from '../../../renderer/clients/client-programs.ts';
import { metricsSnippet } from '../../../renderer/clients/metrics-snippet.ts';
import { clientSnippet, type SnippetSource } from '../../../renderer/clients/client-snippet.ts';

const URL_OF_PANEL = 'http://127.0.0.1:7411';
const token = 'mcpcp_abc-DEF_123';
const source = (changes: Partial<SnippetSource> = {}): SnippetSource => ({
  url: URL_OF_PANEL,
  token,
  servers: ['github'],
  system: 'linux',
  ...changes,
});
const address = (server: string) => `${URL_OF_PANEL}/servers/${server}/mcp`;
const parsed = (program: (typeof clientPrograms)[number], changes?: Partial<SnippetSource>): unknown =>
  JSON.parse(clientSnippet(program, source(changes)).text);

describe('the snippet of a client', () => {
  it('has the key, the field of the address and the header that each program reads', () => {
    const headers = { Authorization: `Bearer ${token}` };
    const url = address('github');
    expect(parsed('vscode')).toEqual({ servers: { github: { type: 'http', url, headers } } });
    expect(parsed('cursor')).toEqual({ mcpServers: { github: { url, headers } } });
    expect(parsed('windsurf')).toEqual({ mcpServers: { github: { serverUrl: url, headers } } });
    expect(parsed('zed')).toEqual({ context_servers: { github: { url, headers } } });
    expect(parsed('gemini-cli')).toEqual({ mcpServers: { github: { httpUrl: url, headers } } });
    expect(parseToml(clientSnippet('codex', source()).text)).toEqual({
      mcp_servers: { github: { url, http_headers: headers } },
    });
  });

  it('is a command for Claude Code, which rewrites its file by itself', () => {
    expect(clientSnippet('claude-code', source({ servers: ['github', 'a.b'] }))).toMatchObject({
      form: 'command',
      text: [
        `claude mcp add --scope user --transport http github ${address('github')} --header "Authorization: Bearer ${token}"`,
        `claude mcp add --scope user --transport http a-b ${address('a.b')} --header "Authorization: Bearer ${token}"`,
      ].join('\n'),
    });
  });

  it('goes through a bridge for Claude Desktop, and says so', () => {
    const { note, file } = clientSnippet('claude-desktop', source({ system: 'mac' }));
    expect(note).toContain('bridge');
    expect(file).toBe('~/Library/Application Support/Claude/claude_desktop_config.json');
    expect(parsed('claude-desktop')).toMatchObject({
      mcpServers: { github: { command: 'npx', env: { AUTHORIZATION: `Bearer ${token}` } } },
    });
  });

  it('names the file of the program on this system', () => {
    const fileOn = (system: SnippetSource['system']) => clientSnippet('zed', source({ system })).file;
    expect(systems.map(fileOn)).toEqual([
      '~/.config/zed/settings.json',
      '%APPDATA%\\Zed\\settings.json',
      '~/.config/zed/settings.json',
    ]);
    expect(['MacIntel', 'Win32', 'Linux x86_64'].map(systemOf)).toEqual(systems);
  });

  it('keeps names apart that a program would make the same', () => {
    const { text } = clientSnippet('codex', source({ servers: ['a.b', 'a-b', '-a'] }));
    expect(Object.keys(parseToml(text)['mcp_servers'] as object)).toEqual(['a-b', 'a-b-2', '_a']);
  });

  it('parses back to one entry per server, whatever names and token hold', () => {
    const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(names, anyText, (servers, odd) => {
        fc.pre(!servers.includes('__proto__'));
        const given = source({ servers, token: odd });
        for (const program of clientPrograms) {
          const { form, text } = clientSnippet(program, given);
          if (form === 'command') continue;
          const whole = (form === 'toml' ? parseToml(text) : JSON.parse(text)) as Record<string, object>;
          const entries = Object.values(Object.values(whole)[0] ?? {}) as object[];
          expect(entries).toHaveLength(servers.length);
          expect(JSON.stringify(entries[0])).toContain(JSON.stringify(`Bearer ${odd}`));
        }
      }),
    );
  });

  it('keeps a token together as one argument of the command line', () => {
    const { text } = clientSnippet('claude-code', source({ token: '"$(x)`y`\\' }));
    expect(text).toMatch(/--header "Authorization: Bearer \\"\\\$\(x\)\\`y\\`\\\\"$/);
    expect(clientSnippet('claude-code', source({ token: 'a"b', system: 'windows' })).text).toMatch(
      /"Authorization: Bearer ab"$/,
    );
  });
});

describe('the snippet of who reads metrics', () => {
  const metrics = { url: URL_OF_PANEL, token, system: 'linux' } as const;

  it('is a command, quoted for its system', () => {
    const command = `curl --header "Authorization: Bearer ${token}" ${URL_OF_PANEL}/metrics`;
    expect(metricsSnippet('curl', metrics)).toBe(command);
    expect(metricsSnippet('curl', { ...metrics, system: 'windows' })).toBe(command);
  });

  it('is a job of Prometheus', () => {
    expect(metricsSnippet('prometheus', metrics).split('\n')).toEqual([
      'scrape_configs:',
      '  - job_name: mcp-control-panel',
      '    metrics_path: /metrics',
      '    authorization:',
      `      credentials: ${token}`,
      '    static_configs:',
      "      - targets: ['127.0.0.1:7411']",
    ]);
  });
});
