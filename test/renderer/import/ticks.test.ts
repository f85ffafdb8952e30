import { describe, expect, it } from 'vitest';
import { anAsk } from '../builders.ts';
import type { Choice } from '../../../renderer/import/choices.ts';
import {
  answerTick,
  entryToTake,
  readyOnes,
  takingWords,
  waitingWords,
  type Ticks,
} from '../../../renderer/import/ticks.ts';

const token = anAsk();
const aChoice = (name: string, changes: Partial<Choice> = {}): Choice => ({
  id: name,
  name,
  entry: { command: 'npx' },
  status: 'new',
  words: 'new',
  problem: undefined,
  asks: [],
  obstacle: undefined,
  existing: undefined,
  warnings: [],
  ...changes,
});
const github = aChoice('github', {
  entry: { command: 'npx', env: { TOKEN: '${input:token}' } },
  asks: [token],
});
const context7 = aChoice('context7', {
  entry: { command: 'npx', env: { TOKEN: '${env:KEY}' } },
  asks: [
    { ...token, placeholder: '${env:KEY}', kind: 'environment', variable: 'KEY', found: 'from-the-shell' },
  ],
});
const gone = aChoice('gone', { obstacle: 'its command uvx is not on this machine' });
const plain = aChoice('plain');
const choices = [github, context7, gone, plain];
const ticks = (ticked: readonly string[], answers: Ticks['answers'] = {}): Ticks => ({
  ticked: new Set(ticked),
  answers,
});

describe('what is ticked', () => {
  it('is only what can work: nothing asked is open, and its command is here', () => {
    expect([...readyOnes(choices, {})]).toEqual(['context7', 'plain']);
    expect([...readyOnes(choices, { github: { token: 'x' } })]).toEqual(['github', 'context7', 'plain']);
  });

  it('is nothing that a person has to know something about first', () => {
    const script = aChoice('script', { warnings: ['It runs a shell script.'] });
    const asking = { ...github, warnings: script.warnings };
    expect([...readyOnes([script, plain], {})]).toEqual(['plain']);
    const answered = answerTick([asking], ticks([]), { choice: asking, ask: 'token', value: 'x' });
    expect([...answered.ticked]).toEqual([]);
    expect(entryToTake(asking, answered.answers)).toEqual({ command: 'npx', env: { TOKEN: 'x' } });
  });

  it('follows the last open question: an answer ticks, and taking it back unticks', () => {
    const answered = answerTick(choices, ticks(['plain']), { choice: github, ask: 'token', value: 'x' });
    expect([...answered.ticked]).toEqual(['plain', 'github']);
    const taken = answerTick(choices, answered, { choice: github, ask: 'token', value: '' });
    expect([...taken.ticked]).toEqual(['plain']);
    // A value that was found may be typed over, and a person's own tick stays meanwhile.
    const typed = answerTick(choices, ticks(['context7']), { choice: context7, ask: 'token', value: 'mine' });
    expect([...typed.ticked]).toEqual(['context7']);
  });
});

describe('what is taken over', () => {
  it('has the answers in the places of their placeholders', () => {
    expect(entryToTake(github, { github: { token: 'typed' } })).toEqual({
      command: 'npx',
      env: { TOKEN: 'typed' },
    });
    expect(entryToTake(context7, {})).toEqual({ command: 'npx', env: { TOKEN: 'from-the-shell' } });
  });

  it('is switched off where it cannot work yet, because it would only fail over and over', () => {
    expect(entryToTake(github, {})).toMatchObject({ disabled: true });
    expect(entryToTake(gone, {})).toEqual({ command: 'npx', disabled: true });
    expect(entryToTake(plain, {})).toEqual({ command: 'npx' });
  });

  it('is told before it is done', () => {
    const mine = aChoice('mine', { status: 'different' });
    const all = [...choices, mine];
    expect(takingWords(all, ticks([]))).toBeUndefined();
    expect(takingWords(all, ticks(['plain', 'context7']))).toBe('Adds 2 servers.');
    expect(takingWords(all, ticks(['mine']))).toBe('Replaces mine.');
    expect(takingWords(all, ticks(['plain', 'mine', 'github']))).toBe(
      'Adds 2 servers and replaces mine. github cannot work yet, and is switched off.',
    );
  });

  it('names what waits for a value', () => {
    expect(waitingWords(choices, ticks(['plain']))).toBe('github needs values first.');
    expect(waitingWords(choices, ticks(['plain'], { github: { token: 'x' } }))).toBe('');
  });
});
