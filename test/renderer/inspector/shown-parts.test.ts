import { describe, expect, it } from 'vitest';
import { toItems } from '../../../renderer/offer/offer-items.ts';
import { partWords, troublesOf } from '../../../renderer/inspector/offer-list.tsx';
import { leftOutWords, toBlocks } from '../../../renderer/inspector/result-blocks.ts';
import { anOffer } from '../builders.ts';

describe('toBlocks', () => {
  it('keeps text as text, line by line, without control sequences', () => {
    expect(toBlocks({ content: [{ type: 'text', text: '<b>a</b>\n\u001b[31mred\u001b[0m' }] })).toEqual([
      { kind: 'text', text: '<b>a</b>\nred' },
    ]);
  });

  it('shows a picture only when it is one', () => {
    const image = (mimeType: string, data: string) =>
      toBlocks({ content: [{ type: 'image', mimeType, data }] })[0];
    expect(image('image/png', 'iVBO\nRw==')).toEqual({
      kind: 'image',
      mimeType: 'image/png',
      source: 'data:image/png;base64,iVBORw==',
    });
    expect(image('text/html', 'iVBORw==')?.kind).toBe('note');
    expect(image('image/png', '"><script>')?.kind).toBe('note');
    expect(image('image/png;x=javascript:', 'iVBORw==')?.kind).toBe('note');
  });

  it('shows resources, links, audio, and what it does not know', () => {
    const content = [
      { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', text: 'inside' } },
      { type: 'resource_link', uri: 'a://c', name: 'C' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
      { type: 'hologram', depth: 3 },
      7,
    ];
    const structuredContent = { sum: 3 };
    expect(toBlocks({ content, structuredContent })).toEqual([
      { kind: 'text', label: 'a://b · text/plain', text: 'inside' },
      { kind: 'text', label: 'resource link', text: 'C\na://c' },
      { kind: 'note', words: expect.stringContaining('audio/wav, 3 bytes') as string },
      { kind: 'json', value: { type: 'hologram', depth: 3 } },
      { kind: 'json', value: { type: 'odd', value: 7 } },
      { kind: 'json', label: 'Structured content', value: { sum: 3 } },
    ]);
  });

  it('shows the messages of a prompt with who says them, and the contents of a resource', () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }];
    expect(toBlocks({ description: 'Greets.', messages })).toEqual([
      { kind: 'note', words: 'Greets.' },
      { kind: 'text', label: 'user', text: 'Hello' },
    ]);
    expect(toBlocks({ contents: [{ uri: 'a://b', blob: 'AAAA' }] })).toMatchObject([
      { kind: 'note', label: 'a://b' },
    ]);
  });

  it('is empty for an empty result, and JSON for one of another shape', () => {
    expect(toBlocks({ content: [] })).toEqual([]);
    expect(toBlocks({ task: 1 })).toEqual([{ kind: 'json', value: { task: 1 } }]);
  });
});

describe('what could not be listed', () => {
  const error = { code: 'REQUEST_TIMEOUT', message: 'No answer.' } as const;
  const items = toItems(anOffer({ tools: [{ name: 'echo' }] }));
  const failures = [
    { list: 'tools', error },
    { list: 'resourceTemplates', error },
  ] as const;

  it('is named, whether nothing of a list came or only its beginning', () => {
    expect(troublesOf({ items, failures, offerError: undefined }).map(({ lead }) => lead)).toEqual([
      'Its tools could not be listed to the end',
      'Its resource templates could not be listed',
    ]);
  });

  it('is everything when nothing came', () => {
    expect(troublesOf({ items, failures, offerError: error })).toEqual([
      { lead: 'Its tools, prompts and resources could not be listed', error },
    ]);
    expect(troublesOf({ items, failures: [], offerError: undefined })).toEqual([]);
  });
});

describe('an answer that is shown in part', () => {
  it('says how much is missing, as far as that is known', () => {
    expect(leftOutWords({ characters: 14_000_000, values: 0, isAtLeast: false })).toBe(
      'This is a part of the answer: 14\u2009000\u2009000 characters of it are not shown, because it is too large.',
    );
    expect(leftOutWords({ characters: 20, values: 30_000, isAtLeast: true })).toContain(
      'more than 20 characters and 30\u2009000 values of it',
    );
  });

  it('has a note in the place of a picture that was too large', () => {
    expect(toBlocks({ content: [{ type: 'image', mimeType: 'image/png', data: '…' }] })).toEqual([
      { kind: 'note', words: 'image/png, too large to be shown.' },
    ]);
  });
});

describe('a list that is kept in part', () => {
  it('is told with how many there are, as far as that is known', () => {
    const part = { list: 'resourceTemplates', shown: 5000, total: 22_000 } as const;
    expect(partWords([{ ...part, isAtLeast: true }])).toEqual([
      '5000 of more than 22\u2009000 resource templates are listed; the rest is too much to show.',
    ]);
  });
});
