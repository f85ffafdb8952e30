import { parse as parseToml } from 'smol-toml';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import {
  clientPrograms,
  programs,
  systemOf,
  systems,
  type ClientProgram,
  type Program,
} from '../../../renderer/clients/client-programs.ts';
import { metricsSnippet } from '../../../renderer/clients/metrics-snippets.tsx';
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

type Entries = ReadonlyMap<string, unknown>;
interface ContinueItem {
  readonly name: string;
}

const formOf = (program: ClientProgram): Program['form'] => programs[program].form;
const inside = (file: unknown, key: string): Entries =>
  new Map(Object.entries((file as Record<string, object>)[key]!));

/** The entries of a file of the program, by name. */
function entriesIn(program: ClientProgram, text: string): Entries {
  const form = formOf(program);
  if (form.kind === 'json') return inside(JSON.parse(text), form.key);
  if (form.kind === 'toml') return inside(parseToml(text), 'mcp_servers');
  const { mcpServers } = parseYaml(text) as { mcpServers: readonly ContinueItem[] };
  return new Map(mcpServers.map((item) => [item.name, item]));
}

/** A new file of the program. */
function newFile(program: ClientProgram, changes?: Partial<SnippetSource>): Entries {
  const { target, text } = clientSnippet(program, source(changes));
  return entriesIn(program, target!.wholeFile ?? text);
}

/** A file with the server `other`, with the snippet pasted where it belongs. */
function pastedInto(program: ClientProgram, text: string): string {
  const form = formOf(program);
  if (form.kind === 'json') return `{ "a": 1, "${form.key}": { ${text}, "other": { "command": "x" } } }`;
  if (form.kind === 'toml') return `[mcp_servers.other]\ncommand = "x"\n${text}\n`;
  return `name: mine\nmcpServers:\n- name: other\n  command: x\n${text}\n`;
}

const withFile = clientPrograms.filter((program) => formOf(program).kind !== 'command');
const anyNames = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/), { minLength: 1, maxLength: 5 });

describe('the snippet of a client', () => {
  it('has the key, the field of the address and the header that each program reads', () => {
    const headers = { Authorization: `Bearer ${token}` };
    const url = address('github');
    const entries: Readonly<Partial<Record<ClientProgram, object>>> = {
      vscode: { type: 'http', url, headers },
      cursor: { url, headers },
      codex: { url, http_headers: headers },
      windsurf: { serverUrl: url, headers },
      zed: { url, headers },
      'gemini-cli': { httpUrl: url, headers },
      opencode: { type: 'remote', url, headers, oauth: false },
      'copilot-cli': { type: 'http', url, headers, tools: ['*'] },
      'qwen-code': { httpUrl: url, headers },
      cline: { type: 'streamableHttp', url, headers, timeout: 300 },
      continue: { name: 'github', type: 'streamable-http', url, requestOptions: { headers } },
      mcporter: { baseUrl: url, headers },
    };
    for (const [program, entry] of Object.entries(entries))
      expect([program, newFile(program as ClientProgram).get('github')]).toEqual([program, entry]);
    expect([...Object.keys(entries), 'claude-code', 'claude-desktop'].toSorted()).toEqual(
      clientPrograms.toSorted(),
    );
    const keys = withFile.map(formOf).flatMap((form) => (form.kind === 'json' ? [form.key] : []));
    expect(keys.filter((key) => key !== 'mcpServers')).toEqual(['servers', 'context_servers', 'mcp']);
  });

  it('starts the bridge for Claude Desktop, and says so', () => {
    const env = { MCP_CONTROL_PANEL_HOME: '/home/ada/panel' };
    const bridge = { command: '/usr/bin/node', args: ['/opt/panel/bridge.cjs', 'connect'], env };
    const { notes, target } = clientSnippet('claude-desktop', source({ system: 'mac', bridge }));
    expect(notes).toEqual([expect.stringContaining('the bridge of this panel, which runs on your Node.js')]);
    expect(target?.file).toBe('~/Library/Application Support/Claude/claude_desktop_config.json');
    expect(newFile('claude-desktop', { bridge }).get('github')).toEqual({
      command: '/usr/bin/node',
      args: ['/opt/panel/bridge.cjs', 'connect', 'github'],
      env: { ...env, MCP_CONTROL_PANEL_TOKEN: token },
    });
  });

  it('says how to copy the bridge where the panel has none that stays', () => {
    expect(clientSnippet('claude-desktop', source()).notes.at(-1)).toContain('copy the folder bridge');
    expect(newFile('claude-desktop').get('github')).toEqual({
      command: 'node',
      args: ['/path/to/bridge/bridge.cjs', 'connect', 'github'],
      env: { MCP_CONTROL_PANEL_TOKEN: token },
    });
    expect(clientSnippet('cursor', source()).notes.join(' ')).not.toContain('bridge');
  });

  it('names the file of the program on this system', () => {
    const fileOn = (system: SnippetSource['system']) => clientSnippet('zed', source({ system })).target?.file;
    expect(systems.map(fileOn)).toEqual([
      '~/.config/zed/settings.json',
      '%APPDATA%\\Zed\\settings.json',
      '~/.config/zed/settings.json',
    ]);
    expect(['MacIntel', 'Win32', 'Linux x86_64'].map(systemOf)).toEqual(systems);
  });

  it('parses back to one entry per server in a new file and in a file that has another server, which stays', () => {
    const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...withFile), anyNames, anyText, (program, servers, odd) => {
        fc.pre(!servers.includes('__proto__') && !servers.includes('other'));
        const { text, target } = clientSnippet(program, source({ servers, token: odd }));
        const fresh = entriesIn(program, target!.wholeFile ?? text);
        expect(fresh.size).toBe(servers.length);
        const credential = program === 'claude-desktop' ? odd : `Bearer ${odd}`;
        for (const [, entry] of fresh) expect(JSON.stringify(entry)).toContain(JSON.stringify(credential));
        const merged = new Map(entriesIn(program, pastedInto(program, text)));
        expect(merged.get('other')).toMatchObject({ command: 'x' });
        merged.delete('other');
        expect(Object.fromEntries(merged)).toEqual(Object.fromEntries(fresh));
      }),
    );
  });

  it('says where in the file it belongs, and that a second key would replace the other servers', () => {
    const place = (program: ClientProgram) => clientSnippet(program, source()).target?.place;
    expect(place('cursor')).toMatch(/^Inside "mcpServers": { … }.*Never add a second one/);
    expect(place('zed')).toMatch(/^Inside "context_servers"/);
    expect(place('codex')).toMatch(
      /^Replace the table \[mcp_servers\.github\] where there is one.*Codex does not start/,
    );
    expect(place('continue')).toMatch(/^In the list below mcpServers:/);
  });

  it('keeps the names of servers, except in programs that would refuse or drop them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...withFile), anyNames, (program, servers) => {
        fc.pre(!servers.includes('__proto__') && program !== 'copilot-cli');
        expect([...newFile(program, { servers }).keys()].toSorted()).toEqual(servers.toSorted());
      }),
    );
    const servers = ['a.b', 'a-b', '-a', 'plain'];
    expect([...newFile('codex', { servers }).keys()]).toEqual(servers);
    expect([...newFile('copilot-cli', { servers }).keys()]).toEqual(['a-b-2', 'a-b', '_a', 'plain']);
    expect(clientSnippet('copilot-cli', source({ servers })).notes).toEqual([
      '“a.b” is called “a-b-2” here. “-a” is called “_a” here. Copilot CLI leaves out servers that have other characters than letters, digits, - and _.',
    ]);
    expect(clientSnippet('copilot-cli', source()).notes).toEqual([]);
  });

  it.each([
    [
      'copilot-cli',
      'a'.repeat(61),
      'Copilot CLI will not show this one: its name is longer than 60 characters.',
    ],
    ['opencode', 'git.hub', 'opencode will call this one differently: its name has a dot.'],
    ['qwen-code', 'git.hub', 'Qwen Code will call this one differently: its name has a dot.'],
    [
      'gemini-cli',
      'a'.repeat(31),
      'Gemini CLI will call this one differently: its name is longer than 30 characters.',
    ],
  ] as const)('says which names %s drops or changes: %s', (program, server, words) => {
    const notesOn = (name: string) => clientSnippet(program, source({ servers: [name] })).notes;
    expect(notesOn(server).at(-1)).toBe(`“${server}”: ${words}`);
    expect(notesOn('github').join(' ')).not.toContain('will');
  });

  it('says which names Codex makes the same for its tools', () => {
    const { notes } = clientSnippet('codex', source({ servers: ['git.hub', 'other', 'git-hub'] }));
    expect(notes).toEqual([
      '“git.hub”: Codex will call this one differently: its name and git-hub are one name there, so both get a hash.',
      '“git-hub”: Codex will call this one differently: its name and git.hub are one name there, so both get a hash.',
    ]);
    expect(clientSnippet('codex', source({ servers: ['a.b', 'c.d'] })).notes).toEqual([]);
  });
});

describe('the commands for Claude Code', () => {
  const commands = (changes?: Partial<SnippetSource>) => clientSnippet('claude-code', source(changes));

  it('remove the server from both scopes, which may fail, and add it', () => {
    const { text } = commands({ servers: ['github', 'a.b'] });
    expect(text.split('\n')).toEqual(
      ['github', 'a.b'].flatMap((server) => {
        const name = server.replace('.', '-');
        return [
          `claude mcp remove ${name} --scope user || true`,
          `claude mcp remove ${name} --scope local || true`,
          `claude mcp add --scope user --transport http ${name} ${address(server)} --header "Authorization: Bearer ${token}"`,
        ];
      }),
    );
  });

  it('are bare lines on Windows, where each shell has another way to let one fail', () => {
    expect(commands({ system: 'windows' }).text.split('\n')).toEqual([
      'claude mcp remove github --scope user',
      'claude mcp remove github --scope local',
      `claude mcp add --scope user --transport http github ${address('github')} --header "Authorization: Bearer ${token}"`,
    ]);
  });

  it('give each server a name of its own that Claude Code takes, and say so', () => {
    fc.assert(
      fc.property(anyNames, fc.subarray(['workspace', 'claude-in-chrome', 'workspace-2']), (some, odd) => {
        const servers = [...new Set([...some, ...odd])];
        const { text } = commands({ servers });
        const names = text.split('\n').flatMap((line) => / --transport http (\S+) /.exec(line)?.[1] ?? []);
        expect(new Set(names).size).toBe(servers.length);
        for (const name of names) {
          expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]*$/);
          expect(['workspace', 'claude-in-chrome']).not.toContain(name);
        }
      }),
    );
    const { notes } = commands({ servers: ['workspace', 'claude-in-chrome'] });
    expect(notes.at(-1)).toMatch(
      /^“workspace” is called “workspace-2” here\. “claude-in-chrome” is called “claude-in-chrome-2” here\. .* reserves/,
    );
  });

  it('come with the way around the copy of a project', () => {
    expect(commands().notes.join(' ')).toContain(
      '.mcp.json, run the add command in its folder with --scope local',
    );
  });

  it('keep a token together as one argument', () => {
    const { text } = commands({ token: '"$(x)`y`\\' });
    expect(text).toMatch(/--header "Authorization: Bearer \\"\\\$\(x\)\\`y\\`\\\\"$/);
    expect(commands({ token: 'a"b', system: 'windows' }).text).toMatch(/"Authorization: Bearer ab"$/);
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
