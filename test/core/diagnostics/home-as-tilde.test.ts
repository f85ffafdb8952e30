import { describe, expect, it } from 'vitest';
import { homeAsTilde } from '../../../electron/core/diagnostics/collect-diagnostics.ts';

describe('the home folder of the person in a line', () => {
  it('stands as ~ on Windows however it is written', () => {
    const told = homeAsTilde('C:\\Users\\Ada');
    const line = String.raw`C:\Users\Ada\notes c:/users/ada/notes file:///C:/Users/Ada/notes`;
    expect(told(line)).toBe(String.raw`~\notes ~/notes file:///~/notes`);
    expect(told(JSON.stringify({ path: 'C:\\Users\\Ada\\notes' }))).toBe(String.raw`{"path":"~\\notes"}`);
    // What a server logged as JSON, in the detail of an event.
    const logged = JSON.stringify({ tail: JSON.stringify({ path: 'C:\\Users\\Ada' }) });
    expect(told(logged)).not.toMatch(/ada/i);
    expect(told('D:\\Users\\Ada')).toBe('D:\\Users\\Ada');
  });

  it('stands as ~ on a share of the network, and with signs that mean something in a pattern', () => {
    expect(homeAsTilde('\\\\files\\homes\\Ada')(String.raw`{"cwd":"\\\\files\\homes\\Ada\\x"}`)).toBe(
      String.raw`{"cwd":"~\\x"}`,
    );
    expect(homeAsTilde('C:\\Users\\A.d (a)')('C:\\Users\\A.d (a)\\x C:\\Users\\AXd (a)')).toBe(
      '~\\x C:\\Users\\AXd (a)',
    );
  });

  it('stands as ~ elsewhere as it is written, where its case means something', () => {
    const told = homeAsTilde('/home/ada');
    expect(told('reading /home/ada/notes and /home/Ada, twice: /home/ada')).toBe(
      'reading ~/notes and /home/Ada, twice: ~',
    );
  });

  it('stays where it is so short that it stands in other words as well', () => {
    expect(homeAsTilde('/')('a/b')).toBe('a/b');
  });
});
