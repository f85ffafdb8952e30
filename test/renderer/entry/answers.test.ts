import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../shared/manage.ts';
import {
  answerOf,
  answeredEntry,
  askedIn,
  isFromEnvironment,
  labelOf,
  unanswered,
} from '../../../renderer/entry/answers.ts';
import { anAsk } from '../builders.ts';

const key = anAsk({ id: 'key', label: 'Key', where: 'args', key: '1', placeholder: '<YOUR_KEY>' });
const found: Ask = { ...key, variable: 'KEY', kind: 'environment', found: 'shell', suggestion: 'hint' };
const entry = { command: 'npx', args: ['-y', '<YOUR_KEY>'] };

describe('the answer to a question of an entry', () => {
  it('is what was typed, else what was found, else what is suggested', () => {
    expect(answerOf(key, {})).toBe('');
    expect(answerOf({ ...key, suggestion: 'hint' }, {})).toBe('hint');
    expect(answerOf(found, {})).toBe('shell');
    expect(answerOf(found, { key: '' })).toBe('');
    expect(isFromEnvironment(found, {})).toBe(true);
    expect(isFromEnvironment(found, { key: 'typed' })).toBe(false);
  });

  it('is asked for by a name, a path by what it is', () => {
    expect(labelOf(key)).toBe('Key');
    const path: Ask = { ...key, kind: 'path', label: '/path/to/files', placeholder: '/path/to/files' };
    expect(labelOf(path)).toBe('Path on this machine');
    expect(labelOf({ ...path, label: 'workspacefolder', placeholder: '${workspaceFolder}' })).toBe(
      'Folder of the project',
    );
  });

  it('is missing where nothing but spaces stands', () => {
    expect(unanswered([key], { key: ' ' })).toEqual([key]);
    expect(unanswered([found], {})).toEqual([]);
  });

  it('goes into the place of its placeholder, and is no question once the placeholder is gone', () => {
    expect(answeredEntry(entry, [key], { key: 'k' })).toEqual({ command: 'npx', args: ['-y', 'k'] });
    expect(askedIn(entry, [key])).toEqual([key]);
    expect(askedIn({ command: 'npx', args: ['-y', 'by hand'] }, [key])).toEqual([]);
  });
});
