import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { isShortMarkdown } from '../../../renderer/inspector/description.tsx';
import { Markdown } from '../../../renderer/inspector/markdown.tsx';

describe('the description of an item', () => {
  const render = (text: string) => renderToString(<Markdown text={text} />);

  it('is markdown without a way out of the page', () => {
    const markup = render(
      '# Title\n\n**bold** <img src=x onerror=alert(1)> [x](javascript:alert(1)) [y](https://example.com) ![alt](https://example.com/a.png)',
    );
    expect(markup).toContain('<strong>bold</strong>');
    expect(markup).toContain('&lt;img');
    expect(markup).not.toMatch(/<img|<a |javascript:|<h1/);
    expect(markup).toContain('data-tip="Copy https://example.com"');
  });

  it('is read as markdown only where that is soon done', () => {
    expect(isShortMarkdown('Reads `a` and\n\n- b\n- c')).toBe(true);
    for (const sign of ['*a ', '[', '> ', '- ', '1. ', 'a\n', '_*', '&amp;', '    x\n'])
      expect(isShortMarkdown(sign.repeat(Math.ceil(8192 / sign.length))), sign).toBe(false);
  });
});
