import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asksOf } from '../../../../electron/core/config/import/entry-asks.ts';
import { parseSnippet } from '../../../../electron/core/config/import/parse-snippet.ts';
import { ServerNames, validName } from '../../../../electron/core/config/import/server-names.ts';
import { fillAsks } from '../../../../shared/asks.ts';
import { serverEntrySchema, serverNameSchema } from '../../../../shared/server-config.ts';
import { readmeBlocks } from '../../../fixtures/readme-blocks.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const taken = (text: string) => parseSnippet(text).entries.map(({ name, entry }) => [name, entry]);
const time = { command: 'uvx', args: ['mcp-server-time'] };
const inTime = JSON.stringify(time);

describe('parseSnippet', () => {
  it.each([
    ['mcpServers', `{ "mcpServers": { "time": ${inTime} } }`],
    ['servers of VS Code', `{ "inputs": [], "servers": { "time": ${inTime} } }`],
    ['settings of VS Code', `{ "mcp": { "servers": { "time": ${inTime} } } }`],
    ['the servers alone', `{ "time": ${inTime} }`],
    ['no braces around', `"time": ${inTime}`],
    ['no braces, comments and a comma', `// add this:\n "time": ${inTime},\n`],
    ['comments and trailing commas', `{ /* mine */ "mcpServers": { "time": ${inTime}, }, }`],
    ['a Markdown fence', `\`\`\`json\n{ "mcpServers": { "time": ${inTime} } }\n\`\`\`\n`],
    ['a fence after prose', `Add this:\n\n\`\`\`json\n{ "time": ${inTime} }\n\`\`\`\nThen restart it.`],
    [
      'the fence of several that names a server',
      `\`\`\`bash\nuv tool install x\n\`\`\`\n~~~\n"time": ${inTime}\n~~~\n`,
    ],
    ['a fence that is not closed', `\`\`\`json\n{ "time": ${inTime} }`],
    ['a fence that is closed only', `{ "time": ${inTime} }\n\`\`\``],
    ['prose around it', `Add this to claude_desktop_config.json:\n{\n"time": ${inTime}\n}\nDone.`],
    ['a byte order mark', `\uFEFF{ "time": ${inTime} }`],
    ['one with its name', `{ "name": "time", ${inTime.slice(1)}`],
    ['a list', `[{ "name": "time", ${inTime.slice(1)}]`],
    ['a type', `{ "time": { "type": "stdio", ${inTime.slice(1)} }`],
    [
      'the whole command line in a list',
      '{ "mcp": { "time": { "type": "local", "command": ["uvx", "mcp-server-time"] } } }',
    ],
  ])('takes %s', (_, text) => {
    expect(parseSnippet(text).problems).toEqual([]);
    expect(taken(text)).toEqual([['time', time]]);
  });

  it('takes several, remote ones and switched-off ones', () => {
    const text = `{ "mcpServers": {
      "a": { "command": "x" },
      "b": { "httpUrl": "https://b.example.com/mcp" },
      "c": { "type": "remote", "url": "https://c.example.com/mcp", "enabled": false } } }`;
    expect(taken(text)).toEqual([
      ['a', { command: 'x' }],
      ['b', { type: 'http', url: 'https://b.example.com/mcp' }],
      ['c', { url: 'https://c.example.com/mcp', disabled: true }],
    ]);
  });

  it('keeps the panel settings of a snippet of our own', () => {
    expect(taken('{"mcpServers":{"a":{"command":"x","panel":{"autoStart":false}}}}')).toEqual([
      ['a', { command: 'x', panel: { autoStart: false } }],
    ]);
  });

  it.each([
    ['{"command":"npx","args":["-y","@modelcontextprotocol/server-github@2025.4.8"]}', 'server-github'],
    ['{"command":"docker","args":["run","-i","--rm","ghcr.io/acme/stock:1.2"]}', 'stock'],
    ['{"command":"python","args":["/srv/tools/weather.py"]}', 'weather'],
    ['{"command":"/opt/bin/stock-server"}', 'stock-server'],
    ['{"url":"https://mcp.sentry.dev/mcp"}', 'sentry.dev'],
    ['{"command":"docker","args":["run","-i","-e","TOKEN=1","ghcr.io/acme/stock:1.2"]}', 'stock'],
    ['{"command":"timeout","args":["30s","npm","exec","stock-mcp"]}', 'stock-mcp'],
    ['{"command":"npx"}', 'server'],
  ])('names a nameless one: %s', (text, name) => {
    expect(taken(text).map(([found]) => found)).toEqual([name]);
  });

  it.each([
    ['', undefined, undefined, 'there is nothing in it'],
    ['hello', undefined, undefined, 'No server is named in this single word. What can be pasted:'],
    ['{\n  "mcpServers": {\n    "a": { "command" "x" } } }', 3, 22, 'expected ":", found a text in quotes'],
    ['"a": {\n "command": }', 2, 13, 'expected a value, found "}"'],
    ['{ "name": "x" }', 1, 1, 'expected { "mcpServers": { … } }'],
    ['Add:\n```json\n{ "a": {\n "command": }', 4, 13, 'expected a value'],
    ['[]', 1, 1, 'expected { "mcpServers": { … } }'],
    ['{ "a": { "command": "x" },\n  "b": 7 }', 2, 8, 'expected an object, found a number'],
    ['{ "a": { "command": "x",\n  "args": "-y" } }', 2, 11, 'expected an array, found a text'],
    ['"a": { "command": 5 }', 1, 19, 'expected a text in quotes, found 5'],
    ['{ "a": { "url": "ws://h" } }', 1, 17, 'must be an http: or https: URL'],
  ])('says where %j is wrong', (text, line, column, message) => {
    const [problem] = parseSnippet(text).problems;
    expect(problem?.message).toContain(message);
    expect([problem?.line, problem?.column]).toEqual([line, column]);
  });

  it('never tells a value that could be a secret', () => {
    const { problems } = parseSnippet(
      '{"a":{"command":"x","env":{"TOKEN":["hunter2-hunter2"]},"cwd":["hunter2-hunter2"]}}',
    );
    expect(problems).toHaveLength(1);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it.each([
    ['Brave Search', 'this line'],
    ['This server gives access to files.', 'this line'],
    ['npx is a tool that comes with Node.', 'this line'],
    ['Use claude mcp add to add it.', 'this line'],
    ['npm install -g stock-mcp', 'these commands, which fetch or build something'],
    ['git clone https://github.com/acme/stock', 'these commands, which fetch or build something'],
    ['STOCK_TOKEN=1\nSTOCK_REGION=eu', 'these variables'],
    ['import { a } from "b";\nconst c = 1;', 'this program text'],
    ['<html><body>Stock</body></html>', 'this piece of a web page'],
    ['hunter2-hunter2', 'this single word'],
  ])('says what it saw in %j, without its words, and what can be pasted', (text, seen) => {
    const { entries, problems } = parseSnippet(text);
    expect(entries).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(
      new RegExp(`^No server is named in ${seen}\\. What can be pasted: .*npx -y <package>.*\\.$`),
    );
    expect(problems[0]?.message).not.toContain('hunter2');
  });

  it.each([
    ['https://github.com/acme/stock', 'a page of github.com'],
    ['npx -y @smithery/cli install @acme/stock --client claude', 'into the file of another program'],
    ['cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=%%%', 'contains no configuration'],
    ['cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=/////w==', 'contains no configuration'],
    ['vscode:mcp/install', 'contains no configuration'],
    ['claude mcp add', 'names no server'],
    ["claude mcp add-json a '{'", 'cannot be read'],
    ['[mcp_servers.a\ncommand = "x"', 'not valid TOML'],
    ['mcpServers:\n  a:\n    command: [', 'not valid YAML'],
    [
      '{"name":"a/b","packages":[{"registryType":"mcpb","identifier":"https://a.example/b.mcpb"}]}',
      'only mcpb',
    ],
    ['mcpServers:\n  a: &a\n    command: x\n  b: *a', 'not valid YAML'],
  ])('says why %j is no server', (text, message) => {
    const { entries, problems } = parseSnippet(text);
    expect(entries).toEqual([]);
    expect(problems[0]?.message).toContain(message);
  });

  it.each([
    [
      'docker run -i --rm ^\n  -e A=b ^\n  mcp/fetch',
      'fetch',
      { command: 'docker', args: ['run', '-i', '--rm', '-e', 'A=b', 'mcp/fetch'] },
    ],
    ['npx -y `\n  @acme/stock', 'stock', { command: 'npx', args: ['-y', '@acme/stock'] }],
    [
      'A=1 B="two words" npx stock',
      'stock',
      { command: 'npx', args: ['stock'], env: { A: '1', B: 'two words' } },
    ],
    [
      '$env:A = "1"; npx -y stock-mcp',
      'stock-mcp',
      { command: 'npx', args: ['-y', 'stock-mcp'], env: { A: '1' } },
    ],
    ['npm install x\nexport A=1\nnpx stock', 'stock', { command: 'npx', args: ['stock'], env: { A: '1' } }],
    [
      'cd /srv/stock && npm run build && node build/index.js',
      'stock',
      { command: 'node', args: ['build/index.js'], cwd: '/srv/stock' },
    ],
    [
      'npx -y mcp-remote https://mcp.stock.example/sse',
      'stock.example',
      { command: 'npx', args: ['-y', 'mcp-remote', 'https://mcp.stock.example/sse'] },
    ],
    ['mcp-server-stock', 'mcp-server-stock', { command: 'uvx', args: ['mcp-server-stock'] }],
    ['https://www.npmjs.com/package/@acme/stock', 'stock', { command: 'npx', args: ['-y', '@acme/stock'] }],
    ['https://a.example/sse', 'a.example', { type: 'sse', url: 'https://a.example/sse' }],
    ["{ mcpServers: { a: { command: 'x' } } }", 'a', { command: 'x' }],
    ['mcpServers:\n  - name: a\n    command: x', 'a', { command: 'x' }],
    ['claude mcp add a npx -- -y x', 'a', { command: 'npx', args: ['-y', 'x'] }],
    ['claude mcp add-json a "{\\"command\\":\\"x\\"}"', 'a', { command: 'x' }],
    [
      '{"name":"a","server":{"mcp_config":{"command":"node","args":["x.js"]}}}',
      'a',
      { command: 'node', args: ['x.js'] },
    ],
    ['goose://extension?cmd=npx&arg=-y&arg=x&id=a', 'a', { command: 'npx', args: ['-y', 'x'] }],
  ])('takes %j', (text, name, entry) => {
    expect(taken(text)).toEqual([[name, entry]]);
  });

  it('takes a key like any other, whatever it is called', () => {
    for (const text of [
      '{"mcpServers":{"__proto__":{"command":"x","env":{"__proto__":"y"}}}}',
      '[mcp_servers.__proto__]\ncommand = "x"\nenv = { __proto__ = "y" }',
      'mcpServers:\n  __proto__:\n    command: x\n    env:\n      __proto__: y',
    ]) {
      const [server] = parseSnippet(text).entries;
      expect(server?.name).toBe('__proto__');
      expect(Object.entries(server?.entry.env ?? {})).toEqual([['__proto__', 'y']]);
    }
    expect(({} as { command?: unknown }).command).toBeUndefined();
  });

  it('asks once for each placeholder, and has nothing left to ask when all are answered', () => {
    for (const { text } of readmeBlocks)
      for (const found of parseSnippet(text).entries) {
        const ids = (found.asks ?? []).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const filled = fillAsks(found, Object.fromEntries(ids.map((id) => [id, 'answer'])));
        expect(asksOf(serverEntrySchema.parse(filled))).toEqual([]);
      }
  });

  it('survives any text, gives only what is valid, and never more than was pasted', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((name) => JSON.stringify({ [name]: { command: name } })),
      fc.constantFrom(...readmeBlocks.map(({ text }) => text)),
      fc.constantFrom(...'{ } [ ] " \' ` ``` \n ... \u201c && ; $ ${ < > : = \\ % - -- @'.split(' ')),
      fc.constantFrom(
        'claude mcp add ',
        'mcpServers:\n',
        '[mcp_servers.a]\n',
        'vscode:mcp/install?',
        'docker run -e ',
      ),
    );
    const texts = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const { entries } = parseSnippet(text);
        for (const { name, entry } of entries) {
          expect(serverNameSchema.safeParse(name).success).toBe(true);
          expect(serverEntrySchema.safeParse(entry).success).toBe(true);
        }
        const length = JSON.stringify(entries.map(({ entry }) => entry)).length;
        // Quotes and keys that a form does without, and escapes that JSON needs.
        expect(length).toBeLessThan(text.length * 7 + 200 * (entries.length + 1));
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it.each([
    ['braces', '{'.repeat(50_000)],
    ['brackets of TOML', `[mcp_servers.a]\nb = ${'['.repeat(20_000)}`],
    ['dots of TOML', `[mcp_servers.a]\n${'a.'.repeat(20_000)}b = 1`],
    ['lists of YAML', `command: x\n${'- '.repeat(15_000)}`],
    ['maps of YAML', `command: x\n${'{a: '.repeat(8000)}`],
    ['fences', '```\n'.repeat(20_000)],
    ['quotes', `npx ${'"'.repeat(100_000)}`],
    ['paths', `npx ${'/path/'.repeat(10_000)}`],
  ])('survives a text of many %s', (_, text) => {
    expect(parseSnippet(text).entries.length).toBeLessThan(2);
  });
});

describe('ServerNames', () => {
  it.each([
    ['Brave Search', 'Brave-Search'],
    ['  @scope/näme! ', 'scope-name'],
    ['日本', 'xn--wgv71a'],
    ['日本 GitHub', 'GitHub'],
    ['Привет, мир', 'Privet-mir'],
    ['Ελλάδα', 'Ellada'],
    ['Straße Łódź', 'Strasse-Lodz'],
    ['🐙', 'xn--ho8h'],
    ['‮‮', 'server'],
    ['..', 'server'],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('makes %j valid', (original, name) => {
    expect(validName(original)).toBe(name);
  });

  it('never gives one name to two different entries', () => {
    const servers = fc.array(fc.record({ original: fc.string(), command: fc.constantFrom('x', 'y', 'z') }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(servers, (list) => {
        const names = new ServerNames();
        const given = new Map<string, string>();
        for (const { original, command } of list) {
          const { name } = names.nameFor(original, { command });
          expect(serverNameSchema.safeParse(name).success).toBe(true);
          expect(given.get(name) ?? command).toBe(command);
          given.set(name, command);
        }
      }),
    );
  });
});

describe('TOML that is nested deeply', () => {
  it.each([
    ['dotted keys', `${'.\t='.repeat(60)}!`, 'too deeply'],
    ['a few dotted keys', `${'.\t='.repeat(50)}!`, 'not valid TOML'],
    ['inline tables', 'a = {'.repeat(60), 'too deeply'],
  ])('gets an answer: %s', (_, text, told) => {
    expect(parseSnippet(`[mcp_servers.x]\nargs = [\n${text}`).problems[0]?.message).toContain(told);
  });
});

describe('a line of a shell', () => {
  it('takes no command from a line of more than 4 KiB, and the next line all the same', () => {
    const long = `npx -y ${'a'.repeat(4096)}`;
    expect(parseSnippet(long).entries).toEqual([]);
    expect(taken(`${long}\nuvx mcp-server-time`)).toEqual([['mcp-server-time', time]]);
  });

  it('splits at && outside quotes alone', () => {
    expect(taken(`cd /srv && uvx mcp-server-time "a && b" 'c && d'`)).toEqual([
      ['mcp-server-time', { command: 'uvx', args: ['mcp-server-time', 'a && b', 'c && d'], cwd: '/srv' }],
    ]);
  });
});
