import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeCommandLine, splitCommandLine } from '../../../shared/command-line.ts';
import { looksLikeSnippet, parseAssignments } from '../../../renderer/editor/server-draft.ts';
import { MASK, hasSecrets, parseJsonText, toJsonText } from '../../../renderer/entry/entry-json.ts';

const entry = { command: 'npx', env: { TOKEN: 'secret', EMPTY: '' }, headers: { Authorization: 'Bearer x' } };

function problemOf(text: string, base: object): string {
  const parsed = parseJsonText(text, { ...base });
  return parsed.ok ? '' : parsed.problem;
}

describe('the text of an entry', () => {
  it('masks values of environment and headers, and takes the mask for what was there', () => {
    const text = toJsonText(entry, false);
    expect(text).not.toMatch(/secret|Bearer/);
    expect(text).toContain(`"EMPTY": ""`);
    expect(parseJsonText(text, entry)).toEqual({ ok: true, entry });
    expect(parseJsonText(toJsonText(entry, true), entry)).toEqual({ ok: true, entry });
    expect(hasSecrets(entry)).toBe(true);
    expect(hasSecrets({ env: { A: '' } })).toBe(false);
  });

  it('does not write a mask where there was no value', () => {
    const text = toJsonText(entry, false).replace('TOKEN', 'RENAMED');
    expect(problemOf(text, entry)).toContain('RENAMED');
    expect(parseJsonText(`{"env":{"NEW":"${MASK}"}}`, {})).toMatchObject({ ok: false });
  });

  it('tells where it cannot be read', () => {
    expect(problemOf('{\n  "command": npx\n}', {})).toMatch(/line 2, column 14/);
    expect(parseJsonText('[]', {}).ok).toBe(false);
    expect(parseJsonText('', {}).ok).toBe(false);
  });
});

describe('a command line', () => {
  it('falls apart as in a shell', () => {
    expect(splitCommandLine(`npx -y "a b" 'c d' e\\ f --g="h i"`)).toEqual([
      'npx',
      '-y',
      'a b',
      'c d',
      'e f',
      '--g=h i',
    ]);
    expect(splitCommandLine('  ')).toEqual([]);
  });

  it.each([
    [String.raw`x \ \\a`, ['x', ' \\a']],
    [String.raw`x a\=\\b`, ['x', 'a=\\b']],
  ])('reads no path behind a blank or an equals sign that is escaped: %s', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });

  it.each([
    [String.raw`C:\tools\uv.exe run C:\my\server.py`, ['C:\\tools\\uv.exe', 'run', 'C:\\my\\server.py']],
    [String.raw`npx -y x D:\notes --dir=C:\data\new`, ['npx', '-y', 'x', 'D:\\notes', '--dir=C:\\data\\new']],
    [String.raw`npx x "C:\Program Files\x" 'C:\a b'`, ['npx', 'x', 'C:\\Program Files\\x', 'C:\\a b']],
    [String.raw`.\server.exe ..\data \\host\share\x`, ['.\\server.exe', '..\\data', '\\\\host\\share\\x']],
    [String.raw`npx x "C:\data\" y`, ['npx', 'x', 'C:\\data\\', 'y']],
    [String.raw`npx x "C:\\data" "\\host\share"`, ['npx', 'x', 'C:\\data', '\\\\host\\share']],
  ])('keeps the backslashes of Windows paths: %s', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });

  it.each([
    ['npx mcp-remote https://host/mcp?a=1&b=2', 'https://host/mcp?a=1&b=2'],
    ['npx mcp-remote --header=$TOKEN', '--header=$TOKEN'],
    ['npx -y @scope/server#main', '@scope/server#main'],
    ['npx server *.md', '*.md'],
  ])('takes what a shell would expand as it stands, since no shell runs it: %s', (line, last) => {
    expect(splitCommandLine(line).at(-1)).toBe(last);
  });

  it('splits whatever was quoted for a shell into the same words', () => {
    const quotes = [
      (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
      (word: string) => `"${word.replace(/["\\$\`]/g, String.raw`\$&`)}"`,
      (word: string) => (word === '' ? "''" : word.replace(/[^\w]/g, String.raw`\$&`)),
    ];
    const word = fc.string({ unit: fc.constantFrom(...String.raw`ab1 "'\$=:.`, '日'), maxLength: 8 });
    // Text that may be a Windows path is read as one.
    const isPath = (text: string) => /(?:^|=)(?:[A-Za-z]:|\.{0,2})\\/.test(text);
    const quoted = fc
      .tuple(word, fc.constantFrom(...quotes))
      .filter(([text, quote]) => !isPath(text) && !isPath(quote(text).replace(/^["']/, '')));
    fc.assert(
      fc.property(fc.array(quoted, { maxLength: 6 }), (words) => {
        const line = words.map(([text, quote]) => quote(text)).join(' ');
        expect(splitCommandLine(line)).toEqual(words.map(([text]) => text));
      }),
    );
  });

  it('is told from a path with spaces', () => {
    expect(looksLikeCommandLine('npx -y x')).toBe(true);
    expect(looksLikeCommandLine('npx ')).toBe(false);
    expect(looksLikeCommandLine('/Applications/My App/bin')).toBe(false);
    expect(looksLikeCommandLine('C:\\Program Files\\node.exe')).toBe(false);
  });
});

describe('a pasted text', () => {
  it('is a list of variables when every line assigns one', () => {
    expect(parseAssignments('# keys\nexport A=1\nB="two words"\n\nC=')).toEqual([
      { name: 'A', value: '1' },
      { name: 'B', value: 'two words' },
      { name: 'C', value: '' },
    ]);
    expect(parseAssignments('TOKEN')).toBeUndefined();
    expect(parseAssignments('')).toBeUndefined();
  });

  it('is taken for configuration only when it looks like some', () => {
    for (const text of [
      '{"mcpServers": {"a": {}}}',
      '"github": { "command": "npx" }',
      '[mcp_servers.github]\ncommand = "npx"',
      'claude mcp add github -- npx -y x',
      '// settings\n{ "servers": {} }',
      '```json\n{ "mcpServers": {} }\n```',
      'Add this to claude_desktop_config.json:\n\n```\n{ "mcpServers": {} }\n```\n',
      'Add this:\n{ "a": { "command": "npx" } }',
      '## Setup\n~~~\n"a": { "url": "https://a.example" }\n~~~',
      '{ \u201cmcpServers\u201d: {} }',
      'extensions:\n  github:\n    cmd: npx',
      "code --add-mcp '{}'",
      'cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=e30=',
      'vscode:mcp/install?%7B%7D',
      'https://insiders.vscode.dev/redirect/mcp/install?name=a&config=%7B%7D',
      'https://cursor.com/en/install-mcp?name=a&config=e30=',
      '{ "name": "a", "packages": [] }',
    ])
      expect([text, looksLikeSnippet(text)]).toEqual([text, true]);
    for (const text of ['npx', '--config={"a":1}', '{"key":"value"}', 'https://a.example/mcp', 'mcp'])
      expect([text, looksLikeSnippet(text)]).toEqual([text, false]);
    for (const text of ['```bash\nnpx -y x\n```', '--config={"url":"https://a.example"}'])
      expect([text, looksLikeSnippet(text)]).toEqual([text, false]);
  });
});
