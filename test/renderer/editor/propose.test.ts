import { expect, it } from 'vitest';
import { editedEntry, isEdited, propose, startEditor } from '../../../renderer/editor/editor-state.ts';

const entry = { command: 'ndoe', args: ['a.js'], env: { KEPT: '1' } };
const start = startEditor('one', entry);

it('fills in the command that was probably meant, and leaves the rest', () => {
  expect(editedEntry(propose(start, { target: 'command', command: 'node' }))).toEqual({
    ...entry,
    command: 'node',
  });
});

it('adds a row for each variable that is missing', () => {
  const { draft } = propose(start, { target: 'env', variables: ['KEPT', 'API_KEY'] });
  expect(draft.env.map(({ name, value }) => [name, value])).toEqual([
    ['KEPT', '1'],
    ['API_KEY', ''],
  ]);
});

it('changes nothing where nothing is proposed', () => {
  expect(propose(start, undefined)).toBe(start);
  expect(isEdited(start, propose(start, { target: 'args' }))).toBe(false);
});
