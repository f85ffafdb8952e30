import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { putEntry, removeEntry } from '../../../electron/core/config/edit-servers.ts';
import { parseServers } from '../../../electron/core/config/parse-servers.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const commentsOf = (text: string) =>
  [...text.matchAll(/\/\/ c\d+|\/\* c\d+ \*\//g)].map(([comment]) => comment);
const serversOf = (text: string) =>
  (parse(text, [], { allowTrailingComma: true }) as { mcpServers: Record<string, unknown> }).mcpServers;

describe('putEntry', () => {
  it('adds behind the last entry, in the style of the file', () => {
    const text = '{\n\t"mcpServers": {\n\t\t"a": { "command": "x" } // about a\n\t\t// "old": {}\n\t}\n}\n';
    expect(putEntry(text, 'b', { command: 'y', args: ['1'] })).toBe(
      '{\n\t"mcpServers": {\n\t\t"a": { "command": "x" }, // about a\n\t\t// "old": {}\n\t\t"b": {\n\t\t\t"command": "y",\n\t\t\t"args": [\n\t\t\t\t"1"\n\t\t\t]\n\t\t}\n\t}\n}\n',
    );
  });

  it('adds to an empty object on one line', () => {
    expect(putEntry('{ "mcpServers": {} }', 'a', { command: 'x' })).toBe(
      '{ "mcpServers": {\n  "a": {\n    "command": "x"\n  }\n} }',
    );
  });

  it('replaces in place and keeps CRLF', () => {
    const text = '{\r\n  "mcpServers": {\r\n    "a": {}, // one\r\n    "b": {}\r\n  }\r\n}';
    expect(putEntry(text, 'a', { command: 'x' })).toBe(
      '{\r\n  "mcpServers": {\r\n    "a": {\r\n      "command": "x"\r\n    }, // one\r\n    "b": {}\r\n  }\r\n}',
    );
  });

  it('mends a name that stands twice', () => {
    const text = '{"mcpServers":{"a":{"command":"1"},"b":{},"a":{"command":"2"}}}';
    expect(serversOf(putEntry(text, 'a', { command: '3' }))).toEqual({ a: { command: '3' }, b: {} });
  });
});

describe('removeEntry', () => {
  it('takes the line with it and leaves the comments of the neighbours', () => {
    const text =
      '{\n  "mcpServers": {\n    "a": {}, // about a\n    "b": {},\n    // about c\n    "c": {}\n  }\n}';
    expect(removeEntry(text, 'b')).toBe(
      '{\n  "mcpServers": {\n    "a": {}, // about a\n    // about c\n    "c": {}\n  }\n}',
    );
    expect(removeEntry(text, 'c')).toBe(
      '{\n  "mcpServers": {\n    "a": {}, // about a\n    "b": {}\n    // about c\n  }\n}',
    );
  });

  it.each([
    ['{"mcpServers":{"a":{},}}', 'a', '{"mcpServers":{}}'],
    ['{"mcpServers":{"a":{}, "b":{}, "c":{}}}', 'b', '{"mcpServers":{"a":{}, "c":{}}}'],
    ['{"mcpServers":{"a":{}, "b":{} }}', 'b', '{"mcpServers":{"a":{} }}'],
    ['{"mcpServers":{"a":{} /* x */, "b":{}}}', 'a', '{"mcpServers":{/* x */ "b":{}}}'],
    ['{"mcpServers":{"a":{},"b":{},"a":{}}}', 'a', '{"mcpServers":{"b":{}}}'],
    ['{"mcpServers":{"a":{}}}', 'none', '{"mcpServers":{"a":{}}}'],
  ])('in %s removes %s', (text, name, expected) => {
    expect(removeEntry(text, name)).toBe(expected);
  });
});

describe('random edits', () => {
  const space = fc.constantFrom('', ' ', '\n', '\n    ', '\r\n', '\t');
  const comment = fc
    .nat(99)
    .chain((id) => fc.constantFrom('', `// c${id}\n`, `/* c${id} */`, `\n// c${id}\r\n`));
  const gap = fc.tuple(space, comment, space).map((parts) => parts.join(''));
  const names = ['a', 'b', 'c', '__proto__', 'x.y'];
  const entry = fc.record({
    command: fc.constantFrom('x', 'y "z"', '// c1'),
    alien: fc.constant([1, { k: null }]),
  });
  const property = fc.tuple(gap, fc.constantFrom(...names), space, entry, gap);
  const file = fc
    .tuple(gap, fc.uniqueArray(property, { selector: ([, name]) => name }), fc.boolean(), gap, gap)
    .map(([before, properties, hasTrailingComma, inner, after]) => {
      const list = properties.map(
        ([g1, name, g2, value, g3]) => `${g1}"${name}":${g2}${JSON.stringify(value)}${g3}`,
      );
      const comma = hasTrailingComma && list.length > 0 ? ',' : '';
      return `${before}{ "first": 1, "mcpServers": {${list.join(',')}${comma}${inner}}, "last": [2] }${after}`;
    });
  const edit = fc.tuple(fc.constantFrom(...names), fc.option(entry));

  it('leave a readable file, every other entry and every comment outside the edited entries', () => {
    fc.assert(
      fc.property(file, fc.array(edit, { maxLength: 8 }), (text, edits) => {
        const result = edits.reduce(
          (now, [name, value]) => (value === null ? removeEntry(now, name) : putEntry(now, name, value)),
          text,
        );
        const expected = new Map(entriesOf(text));
        for (const [name, value] of edits) {
          if (value === null) expected.delete(name);
          else expected.set(name, JSON.stringify(value));
        }
        expect(entriesOf(result)).toEqual([...expected]);
        expect(withoutValues(commentsOf(result))).toEqual(withoutValues(commentsOf(text)));
        expect(result).toContain('"first": 1');
        expect(result).toContain('"last": [2]');
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  // The text "// c1" is also the value of a command.
  const withoutValues = (comments: readonly string[]) => comments.filter((found) => found !== '// c1');

  function entriesOf(text: string): readonly (readonly [string, string])[] {
    const parsed = parseServers(text, (cwd) => cwd);
    if (parsed.kind === 'broken') throw new Error(`${parsed.problem.message}\n${text}`);
    const servers = serversOf(text.replaceAll('"__proto__"', '"proto"'));
    return parsed.entries.map(({ name }) => [
      name,
      JSON.stringify(servers[name === '__proto__' ? 'proto' : name]),
    ]);
  }
});
