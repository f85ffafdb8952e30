import { describe, expect, it } from 'vitest';
import { Notices } from '../../electron/core/notices.ts';

describe('Notices', () => {
  it('keeps what is said early for the first listener, and nothing for later ones', () => {
    const notices = new Notices();
    const [first, second]: [string[], string[]] = [[], []];
    notices.emit('early');
    const undo = notices.subscribe((line) => first.push(line));
    notices.subscribe((line) => second.push(line));
    notices.emit('late');
    undo();
    notices.emit('last');
    expect([first, second]).toEqual([
      ['early', 'late'],
      ['late', 'last'],
    ]);
  });

  it('keeps a bounded number', () => {
    const notices = new Notices();
    for (let index = 0; index < 1000; index += 1) notices.emit(String(index));
    const heard: string[] = [];
    notices.subscribe((line) => heard.push(line));
    expect(heard).toHaveLength(50);
  });
});
