import { describe, expect, it } from 'vitest';
import { MASK } from '../../../renderer/entry/entry-json.ts';
import {
  answerAsk,
  closeJson,
  editedEntry,
  editField,
  editJson,
  editSetting,
  isEdited,
  missingAnswers,
  openAsks,
  openJson,
  propose,
  startAgain,
  startEditor,
  takeOverFile,
} from '../../../renderer/editor/editor-state.ts';
import { anAsk } from '../builders.ts';

const entry = { command: 'npx', env: { TOKEN: 'secret' }, own: [1] };
const start = startEditor('github', entry);

describe('an edited server', () => {
  it('starts again from another entry in the same view', () => {
    const edited = editField(openJson(start, true), 'command', { command: 'uvx' });
    const again = startAgain(edited, 'github', { command: 'bunx' });
    expect(editedEntry(again)).toEqual({ command: 'bunx' });
    expect(again.json).toMatchObject({ isRevealed: true, problem: undefined });
    expect(again.touched.size).toBe(0);
    expect(startAgain(start, 'github', {}).json).toBeUndefined();
  });

  it('is as it was until something differs, and again once it is put back', () => {
    const edited = editField(start, 'command', { command: 'uvx' });
    expect(isEdited(start, start)).toBe(false);
    expect(isEdited(start, edited)).toBe(true);
    expect(isEdited(start, editField(edited, 'command', { command: 'npx' }))).toBe(false);
  });

  it('shows the same as a form and as text', () => {
    const text = openJson(editSetting(start, 'limits.maxMemoryMiB', '512'));
    expect(JSON.parse(text.json!.text)).toEqual({
      ...entry,
      env: { TOKEN: MASK },
      panel: { limits: { maxMemoryMiB: 512 } },
    });
    const form = closeJson(editJson(text, text.json!.text.replace('npx', 'uvx').replace('512', '256')));
    expect(form.json).toBeUndefined();
    expect(form.draft).toMatchObject({ command: 'uvx', panel: { 'limits.maxMemoryMiB': '256' } });
    expect(editedEntry(form)).toEqual({
      ...entry,
      command: 'uvx',
      panel: { limits: { maxMemoryMiB: 256 } },
    });
  });

  it('keeps a text that cannot be read, and loses no masked value on the way', () => {
    const text = openJson(start);
    const broken = editJson(text, '{');
    expect(broken.json?.problem).toBeDefined();
    expect(closeJson(broken)).toBe(broken);
    expect(isEdited(start, broken)).toBe(true);
    const without = editJson(broken, '{ "command": "npx" }');
    expect(editedEntry(without)).toEqual({ command: 'npx' });
    expect(editedEntry(editJson(without, text.json!.text))).toEqual(entry);
  });

  it('shows a refusal until its field is edited', () => {
    const refused = { ...start, refusals: { command: 'Is missing.', env: 'No.' } };
    expect(editField(refused, 'command', { command: 'x' }).refusals).toEqual({ env: 'No.' });
  });
});

describe('what is proposed to mend an entry', () => {
  const wrong = { command: 'ndoe', args: ['a.js'], env: { KEPT: '1' } };
  const opened = startEditor('one', wrong);

  it('is the command that was probably meant, and a row for each variable that is missing', () => {
    const mended = editedEntry(propose(opened, { target: 'command', command: 'node' }));
    expect(mended).toEqual({ ...wrong, command: 'node' });
    const { draft } = propose(opened, { target: 'env', variables: ['KEPT', 'API_KEY'] });
    expect(draft.env.map(({ name, value }) => [name, value])).toEqual([
      ['KEPT', '1'],
      ['API_KEY', ''],
    ]);
  });

  it('changes nothing where it is nothing', () => {
    expect(propose(opened, undefined)).toBe(opened);
    expect(isEdited(opened, propose(opened, { target: 'args' }))).toBe(false);
  });
});

describe('an entry from elsewhere that asks for values', () => {
  const pasted = {
    name: 'search',
    entry: { command: 'npx', env: { TOKEN: '${input:token}' } },
    asks: [anAsk()],
  };
  const taken = takeOverFile(startEditor('', {}), pasted, true);

  it('is written with the answers, while the form shows what it came with', () => {
    const answered = answerAsk(taken, 'token', 'typed');
    expect(answered.draft.name).toBe('search');
    expect(answered.draft.env).toEqual([{ name: 'TOKEN', value: '${input:token}' }]);
    expect(editedEntry(answered)).toEqual({ command: 'npx', env: { TOKEN: 'typed' } });
    expect(isEdited(taken, answered)).toBe(true);
  });

  it('asks no more once its placeholder is written over, or another entry takes its place', () => {
    expect(openAsks(taken)).toHaveLength(1);
    const byHand = editField(taken, 'env', { env: [{ name: 'TOKEN', value: 'by hand' }] });
    expect(openAsks(byHand)).toEqual([]);
    expect(openAsks(takeOverFile(taken, { name: 'other', entry: { command: 'uvx' } }, false))).toEqual([]);
  });

  it('is short of every value until that is typed, its variable is removed, or it is edited as text', () => {
    expect(Object.values(missingAnswers(taken))).toEqual([
      'It needs a value. To do without it, remove the variable below.',
    ]);
    expect(missingAnswers(answerAsk(taken, 'token', 'typed'))).toEqual({});
    expect(missingAnswers(editField(taken, 'env', { env: [] }))).toEqual({});
    expect(missingAnswers(openJson(taken))).toEqual({});
    expect(missingAnswers(startEditor('mine', entry))).toEqual({});
  });

  it('asks for a secret that was left empty', () => {
    const [ask] = pasted.asks;
    const empty = { ...pasted, entry: { env: { TOKEN: '' } }, asks: [{ ...ask!, placeholder: '' }] };
    const state = takeOverFile(startEditor('', {}), empty, false);
    expect(Object.keys(missingAnswers(state))).toEqual(['ask token']);
    expect(editedEntry(answerAsk(state, 'token', 's3'))).toEqual({ env: { TOKEN: 's3' } });
  });

  it('keeps a name that was typed', () => {
    expect(takeOverFile(startEditor('mine', {}), pasted, true).draft.name).toBe('mine');
    expect(takeOverFile(startEditor('mine', {}), pasted, false).draft.name).toBe('search');
  });
});
