import { describe, expect, it } from 'vitest';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import type { RemoteServerConfig, StdioServerConfig } from '../../../../shared/server-config.ts';
import { sharingCatalogue } from '../../../../electron/core/sessions/sharing/catalogue.ts';
import { ObservedSharing } from '../../../../electron/core/sessions/sharing/observed.ts';
import { observedMode, resolveSharing, Sharing } from '../../../../electron/core/sessions/sharing/sharing.ts';

function stdio(line: string, mode = 'auto'): StdioServerConfig {
  const [command = '', ...args] = line.split(' ');
  const panel = panelSettingsSchema.parse({ sessions: { mode } });
  return { name: 'browser', enabled: true, transport: 'stdio', command, args, env: {}, panel };
}

const remote: RemoteServerConfig = {
  name: 'playwright',
  enabled: true,
  transport: 'http',
  url: 'http://127.0.0.1:8931/playwright',
  headers: {},
  panel: panelSettingsSchema.parse({}),
};
const exclusive = { mode: 'exclusive', words: 'It asked for the folders of its client.' } as const;

describe('resolveSharing', () => {
  it.each([
    ['shared', 'npx @playwright/mcp'],
    ['exclusive', 'npx @playwright/mcp'],
    ['shared', 'uvx mcp-server-time'],
    ['exclusive', 'uvx mcp-server-time'],
  ])('does what the setting says (%s, %s)', (mode, line) => {
    expect(resolveSharing(stdio(line, mode), exclusive)).toMatchObject({ mode, reason: 'setting' });
  });

  it.each([
    ['npx @playwright/mcp@latest', 'page'],
    ['npx -y computer-use-mcp', 'screen'],
    ['npx -y mongodb-mcp-server', 'connection'],
    ['uvx mcp-server-motherduck --db-path :memory:', 'connection'],
    ['npx -y @cyanheads/git-mcp-server', 'folder'],
    ['npx -y @playwright/mcp@0.0.83 --headless', 'page'],
    ['npx --yes --package=@playwright/mcp playwright-mcp', 'page'],
    ['cmd /c npx -y @playwright/mcp', 'page'],
    ['pnpm dlx @executeautomation/playwright-mcp-server', 'page'],
    ['bunx chrome-devtools-mcp@latest --isolated', 'page'],
    ['npx -y @modelcontextprotocol/server-puppeteer', 'page'],
    ['node /opt/app/node_modules/@playwright/mcp/cli.js', 'page'],
    ['node C:\\app\\node_modules\\chrome-devtools-mcp\\build\\index.js', 'page'],
    ['docker run -i --rm --init mcr.microsoft.com/playwright/mcp:latest', 'page'],
    ['docker run -i --rm mcp/puppeteer', 'page'],
    ['/usr/local/bin/mcp-server-playwright', 'page'],
    ['uvx browser-use --mcp', 'page'],
    ['npx -y @modelcontextprotocol/server-sequential-thinking', 'thoughts'],
    ['uvx mcp-sequential-thinking', 'thoughts'],
    ['docker run --rm -i mcp/sequentialthinking', 'thoughts'],
    ['npx -y @wonderwhy-er/desktop-commander@latest', 'shells'],
    ['uvx mcp-shell-server', 'shells'],
    ['npx -y iterm-mcp', 'shells'],
    ['uvx libtmux-mcp', 'shells'],
    ['python -m terminal_mcp', 'shells'],
    ['uvx jupyter-mcp-server', 'interpreter'],
    ['uvx mcp-python-repl', 'interpreter'],
    ['python3.12 -m debugpy_mcp', 'debug'],
    ['uvx gdb-mcp', 'debug'],
    ['lldb-mcp-server.exe', 'debug'],
    ['npx -y xcodebuildmcp@latest mcp', 'device'],
    ['uvx --from git+https://github.com/oraios/serena serena start-mcp-server', 'project'],
    ['uv --directory /srv/code run serena-mcp-server', 'project'],
    ['npx @cyanheads/git-mcp-server', 'project'],
  ])('gives each user one of its own: %s', (line, word) => {
    const decision = resolveSharing(stdio(line), undefined);
    expect(decision).toMatchObject({ mode: 'exclusive', reason: 'catalogue' });
    expect(decision.words).toContain(word);
  });

  it.each([
    ['npx @playwright/mcp --extension', 'browser'],
    ['npx @playwright/mcp --cdp-endpoint=http://localhost:9222', 'browser'],
    ['npx chrome-devtools-mcp --browserUrl http://127.0.0.1:9222', 'browser'],
    ['npx @browsermcp/mcp@latest', 'application'],
    ['uvx blender-mcp', 'application'],
    ['npx -y @modelcontextprotocol/server-memory', 'file'],
  ])('shares what copies would fight over: %s', (line, word) => {
    const decision = resolveSharing(stdio(line), exclusive);
    expect(decision).toMatchObject({ mode: 'shared', reason: 'catalogue' });
    expect(decision.words).toContain(word);
  });

  it.each([
    'npx -y @modelcontextprotocol/server-filesystem /home/me/chrome-notes /srv/playwright',
    'npx -y @upstash/context7-mcp',
    'npx -y @notionhq/notion-mcp-server',
    'uvx mcp-server-time --local-timezone=Europe/Berlin',
    'uvx mcp-replicate',
    'npx -y @modelcontextprotocol/server-github',
    'npx -y @brave/brave-search-mcp-server',
    'npx -y browserstack-mcp-server',
    'node /home/me/playwright/notes-server.js',
    'node',
    'bash /opt/run-weather.sh',
    'docker run -i --rm -v /srv/chrome:/data mcp/fetch',
    'python -m',
    'npx',
  ])('shares what nothing is known of: %s', (line) => {
    expect(resolveSharing(stdio(line), undefined)).toMatchObject({ mode: 'shared', reason: 'default' });
    expect(resolveSharing(stdio(line), exclusive)).toEqual({ ...exclusive, reason: 'learnt' });
  });

  it('knows a remote server by what was learnt only: its name and address are the person’s own words', () => {
    expect(resolveSharing(remote, undefined)).toMatchObject({ mode: 'shared', reason: 'default' });
    expect(resolveSharing(remote, exclusive)).toMatchObject({ mode: 'exclusive', reason: 'learnt' });
  });
});

describe('a server that asks its clients', () => {
  it('has a process for each client; folders alone, which nobody tells, change nothing', () => {
    expect(observedMode([])).toBeUndefined();
    expect(observedMode(['toString'])).toBeUndefined();
    expect(observedMode(['sampling/createMessage', 'elicitation/create'])).toEqual({
      mode: 'exclusive',
      asksClients: true,
      words:
        'It asks its clients for answers of their model and for answers of their user, so each client gets a process from its next session on.',
    });
    expect(observedMode(['roots/list'])).toBeUndefined();
  });

  it('stays as the person or the catalogue says', () => {
    const learnt = observedMode(['elicitation/create']);
    expect(resolveSharing(stdio('npx @playwright/mcp'), learnt)).toMatchObject({ mode: 'exclusive' });
    for (const config of [stdio('uvx mcp-server-time', 'shared'), stdio('uvx blender-mcp')]) {
      const decision = resolveSharing(config, learnt);
      expect(decision.mode).toBe('shared');
      expect(decision.asksClients).toBeUndefined();
    }
  });

  it('is known by its version: another one is shared as before, until it asks', () => {
    let version: string | undefined = '1.0';
    const sharing = new Sharing({
      lessons: new ObservedSharing(),
      versionOf: () => version,
      epochMs: () => 7,
    });
    const config = stdio('uvx mcp-server-time');
    expect(sharing.of(config).reason).toBe('default');
    expect(sharing.asked(config, 'notes/list')).toBe(false);
    expect(sharing.asked(config, 'elicitation/create')).toBe(true);
    expect(sharing.asked(config, 'elicitation/create')).toBe(false);
    expect(sharing.of(config)).toMatchObject({ reason: 'learnt', asksClients: true });
    version = undefined;
    sharing.runChanged(config);
    expect(sharing.of(config).reason).toBe('learnt');
    version = '2.0';
    sharing.runChanged(config);
    expect(sharing.of(config).reason).toBe('default');
  });
});

describe('sharingCatalogue', () => {
  it('says why in a sentence, each time', () => {
    expect(sharingCatalogue.length).toBeGreaterThan(5);
    for (const { words, unless } of sharingCatalogue) {
      for (const sentence of [words, ...(unless ? [unless.words] : [])])
        expect(sentence).toMatch(/^[A-Z].{20,}\.$/);
    }
  });
});

describe('a server that answers one call at a time', () => {
  const unlisted = stdio('uvx mcp-server-time');

  it('is known from the next decision on, until a call has overtaken another', () => {
    const sharing = new Sharing();
    expect(sharing.of(unlisted)).not.toHaveProperty('answersInTurn');
    expect(sharing.answered(unlisted, 'in-turn')).toBe(true);
    expect(sharing.answered(unlisted, 'in-turn')).toBe(false);
    expect(sharing.of(unlisted).answersInTurn).toBe(true);
    expect(sharing.answered(unlisted, 'at-once')).toBe(true);
    expect(sharing.of(unlisted)).not.toHaveProperty('answersInTurn');
  });
});
