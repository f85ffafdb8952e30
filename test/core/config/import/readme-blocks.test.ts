import { describe, expect, it } from 'vitest';
import { parseSnippet } from '../../../../electron/core/config/import/parse-snippet.ts';
import { pastedForms } from '../../../fixtures/pasted-forms.ts';
import { readmeBlocks } from '../../../fixtures/readme-blocks.ts';

describe('a block of a README', () => {
  it.each([...readmeBlocks, ...pastedForms])('gives its servers: $title', ({ text, servers, said }) => {
    const { entries, problems } = parseSnippet(text);
    expect(entries.map(({ name, entry }) => [name, entry])).toEqual(
      servers.map(([name, entry]) => [name, entry]),
    );
    expect(entries.map(({ asks = [] }) => asks)).toMatchObject(servers.map(([, , asks = []]) => asks));
    if (servers.length > 0) expect(problems).toEqual([]);
    if (said !== undefined) expect(entries[0]?.problem ?? problems[0]?.message).toContain(said);
  });
});
