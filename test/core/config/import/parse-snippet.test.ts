import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSnippet } from '../../../../electron/core/config/import/parse-snippet.ts';
import { ServerNames, validName } from '../../../../electron/core/config/import/server-names.ts';
import { serverEntrySchema, serverNameSchema } from '../../../../shared/server-config.ts';

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

  it('survives any text and any JSON, and what it gives is valid', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((name) => JSON.stringify({ [name]: { command: name } })),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const { entries } = parseSnippet(text);
        for (const { name, entry } of entries) {
          expect(serverNameSchema.safeParse(name).success).toBe(true);
          expect(serverEntrySchema.safeParse(entry).success).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
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
