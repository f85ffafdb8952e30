// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { rowTextAt } from '../../../renderer/commands/row-menu.ts';

function textAt(markup: string): string | undefined {
  document.body.innerHTML = markup;
  return rowTextAt(document.querySelector('[data-here]')!);
}

describe('the text that a right click copies', () => {
  it('is a row of a table, its cells apart', () => {
    const row = '<th>github</th><td data-here>92 MiB</td><td><button></button></td><td>0.3 %</td>';
    expect(textAt(`<table><tbody><tr>${row}</tr></tbody></table>`)).toBe('github\t92 MiB\t0.3 %');
  });

  it('is a line of a log, or a value', () => {
    expect(
      textAt(
        '<ul><li><time>12:30:05</time><span>stderr</span><span><b data-here>no</b> token</span></li></ul>',
      ),
    ).toBe('12:30:05\tstderr\tno token');
    expect(textAt('<p>Run <code data-here>npx  -y x</code></p>')).toBe('npx -y x');
  });

  it.each([
    '<li><input data-here></li>',
    '<li><a href="#/x" data-here>x</a></li>',
    '<p data-here>words</p>',
    '<li data-here> </li>',
    `<li data-here>${'x'.repeat(20_001)}</li>`,
  ])('is left to others: %#', (markup) => {
    expect(textAt(markup)).toBeUndefined();
  });
});
