import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openText } from '../../../../electron/core/config/programs/spans/open-text.ts';
import {
  differsOnlyAt,
  serversAt,
  type ServersText,
} from '../../../../electron/core/config/programs/spans/servers-text.ts';
import { applyEdit } from '../../../../electron/core/config/text-layout.ts';

type Format = Parameters<typeof openText>[0];

const ours = {
  type: 'http',
  url: 'http://127.0.0.1:7420/servers/x/mcp',
  headers: { Authorization: 'Bearer mcpcp_x' },
  timeout: 300,
  tools: ['*'],
};

function opened(format: Format, text: string): ServersText {
  const found = openText(format, text);
  if (!('value' in found)) throw new Error(`${found.message}\n${text}`);
  return found;
}

/** Replaces an entry, checks that nothing else has changed, and puts the old characters back. */
function moveAndBack(format: Format, text: string, path: readonly string[], entry: object): void {
  const before = opened(format, text);
  const edit = before.replace(path, entry as typeof ours);
  if (edit === undefined) throw new Error(`no ${path.join('.')} in\n${text}`);
  const moved = opened(format, applyEdit(before.text, edit));
  expect(differsOnlyAt(before.value, moved.value, path, entry), moved.text).toBe(true);
  const region = moved.find(path);
  expect(region?.from).toBe(edit.from);
  const back = { from: edit.from, to: edit.from + edit.text.length, text: text.slice(edit.from, edit.to) };
  expect(applyEdit(moved.text, back)).toBe(text);
}

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const names = fc.uniqueArray(word, { minLength: 1, maxLength: 4 });
const eol = fc.constantFrom('\n', '\r\n');
const remark = fc.stringMatching(/^[ -~ä]{0,20}$/);
const value = fc.string({ maxLength: 12 }).filter((text) => !/[\u007f\r\n]/.test(text));

describe('an entry is replaced by its own characters alone, and put back', () => {
  const jsonc = fc
    .record({ names, eol, remark, value, indent: fc.constantFrom('  ', '\t', '    '), last: fc.boolean() })
    .map((parts) => {
      const { indent, eol: end, remark: note, last } = parts;
      const entries = parts.names.map(
        (name, index) =>
          `${indent}${indent}// ${note}${end}${indent}${indent}${JSON.stringify(name)} :${index % 2 ? ' ' : `${end}${indent}`}{ "command": ${JSON.stringify(parts.value)},${end}${indent} "args": [ 1, ] /* own ${note.replaceAll('*/', '')} */ }`,
      );
      const text = `// ${note}${end}{${end}${indent}"zeta": [1,2],${end}${indent}"mcpServers": {${end}${entries.join(`,${end}`)}${last ? ',' : ''}${end}${indent}},${end}${indent}"other": { "x": null }${end}}${last ? end : ''}`;
      return { text, names: parts.names };
    });

  it('in JSON with comments, any order, unknown keys, line ends and trailing commas', () => {
    fc.assert(
      fc.property(jsonc, ({ text, names: found }) => {
        for (const name of found) moveAndBack('json', text, ['mcpServers', name], ours);
      }),
    );
  });

  const tomlEntry = (name: string, form: string, text: string, end: string, note: string): string => {
    const command = `command = ${JSON.stringify(text)}`;
    switch (form) {
      case 'table':
        return `[mcp_servers.${name}] # ${note}${end}${command}${end}args = [ "a", # in${end}]${end}`;
      case 'sub-tables':
        return `[mcp_servers.${name}]${end}${command}${end}${end}# of it${end}[mcp_servers.${name}.env]${end}A = "1" # ${note}${end}`;
      case 'sub-table-first':
        return `[ mcp_servers . "${name}" . env ]${end}A = '1'${end}[mcp_servers.${name}]${end}${command}${end}`;
      default:
        return `[mcp_servers."${name}"]${end}${command}${end}[other.${name}]${end}x = 1${end}[mcp_servers."${name}".env]${end}B = "2"${end}`;
    }
  };
  const form = fc.constantFrom('table', 'sub-tables', 'sub-table-first', 'apart');

  it('in the tables of TOML, with sub-tables beside them or apart', () => {
    fc.assert(
      fc.property(
        names,
        fc.array(form, { minLength: 4, maxLength: 4 }),
        eol,
        remark,
        value,
        (found, forms, end, note, text) => {
          const entries = found.map((name, index) =>
            tomlEntry(name, forms[index] ?? 'table', text, end, note),
          );
          const file = `# ${note}${end}model = "x"${end}${end}${entries.join(end)}[last]${end}when = 1979-05-27${note.length % 2 ? end : ''}`;
          for (const name of found)
            moveAndBack('toml', file, ['mcp_servers', name], { url: ours.url, http_headers: ours.headers });
        },
      ),
    );
  });

  it('in the dotted keys and inline tables of TOML', () => {
    fc.assert(
      fc.property(names, fc.boolean(), eol, remark, value, (found, isInline, end, note, text) => {
        const entries = found.map((name) =>
          isInline
            ? `  ${name} = { command = ${JSON.stringify(text)} } # ${note}`
            : `  ${name}.command = ${JSON.stringify(text)} # ${note}${end}  ${name}.env.A = "1"`,
        );
        const file = `[mcp_servers]${end}${entries.join(end)}${end}${end}[last]${end}`;
        for (const name of found)
          moveAndBack('toml', file, ['mcp_servers', name], { url: ours.url, http_headers: ours.headers });
      }),
    );
  });

  it('in a map or a list of YAML, as blocks or in braces', () => {
    fc.assert(
      fc.property(names, fc.boolean(), fc.boolean(), eol, remark, (found, isList, isFlow, end, note) => {
        const entries = found.map((name) => {
          const block = [
            'command: npx',
            `args: [a] # ${note}`,
            'env:',
            '  A: "1"',
            '# own',
            '  B: |',
            '    two',
          ];
          if (isFlow)
            return isList ? `  - { name: ${name}, command: x }` : `  ${name}: { command: x } # ${note}`;
          return isList
            ? [`  - name: ${name}`, ...block.map((line) => `    ${line}`)].join(end)
            : [`  ${name}: # ${note}`, ...block.map((line) => `      ${line}`)].join(end);
        });
        const file = `# ${note}${end}schema: v1${end}servers:${end}${entries.join(end)}${end}  # last${end}other: 1${end}`;
        for (const name of found)
          moveAndBack('yaml', file, ['servers', name], isList ? { name, ...ours } : ours);
      }),
    );
  });
});

describe('an entry that is added', () => {
  it.each([
    ['{}', ['a', 'b']],
    ['{\n  "x": 1\n}\n', ['mcpServers', 'y']],
    ['{\r\n\t"p": {\r\n\t\t"/f": {}\r\n\t}\r\n}', ['p', '/f', 'mcpServers', 'y']],
    ['{"p":{"/f":{"allowed":[]}}}', ['p', '/f', 'mcpServers', 'y']],
    ['{ "m": { "x": {}, /* last */ } }', ['m', 'y']],
  ])('leaves everything else of %j', (text, path) => {
    const before = opened('json', text);
    const edit = before.add?.(path, ours);
    if (edit === undefined) throw new Error('not added');
    const after = opened('json', applyEdit(text, edit));
    expect(differsOnlyAt(before.value, after.value, path, ours), after.text).toBe(true);
    expect(after.text.includes('\n')).toBe(text.includes('\n'));
  });
});

it('says where a broken file stops being one', () => {
  expect(openText('toml', 'a = 1\na = 2\n')).toMatchObject({ line: 2 });
  expect(openText('yaml', 'a: [1\nb: 2\n')).toMatchObject({ line: 2 });
  expect(openText('json', '{ "a": }')).toMatchObject({ line: 1, column: 8 });
  for (const format of ['json', 'toml', 'yaml'] as const)
    expect(openText(format, '['.repeat(100_000))).toHaveProperty('message');
});

it.each([
  ['json', '{ "servers": { "__proto__": { "command": "x" } } }'],
  ['toml', '[servers.__proto__]\ncommand = "x"'],
  ['toml', 'servers.__proto__.command = "x"'],
  ['toml', 'servers = { "__proto__" = { command = "x" } }'],
  ['yaml', 'servers:\n  __proto__:\n    command: x'],
] as const)('takes "__proto__" in %s for a name like any other: %s', (format, text) => {
  const { value: file } = opened(format, text);
  expect(Object.hasOwn(Object.prototype, 'command')).toBe(false);
  expect([...serversAt(file, ['servers'])]).toEqual([['__proto__', { command: 'x' }]]);
});

it('finds servers in a map and in a list', () => {
  expect([...serversAt(opened('yaml', 's:\n  - name: a\n  - 7\n').value, ['s']).keys()]).toEqual(['a']);
  expect([...serversAt({ s: { a: 1, b: 2 } }, ['s']).keys()]).toEqual(['a', 'b']);
  expect([...serversAt({ s: 7 }, ['s', 't']).keys()]).toEqual([]);
});
