import { expect, it } from 'vitest';
import type { CallOutcome } from '../../../shared/domain.ts';
import { ResultView } from '../../../renderer/inspector/result-view.tsx';
import { render as renderView } from '../render-view.tsx';

const render = (outcome: Partial<CallOutcome>): string =>
  renderView(<ResultView at={0} outcome={{ result: {}, durationMs: 1, ...outcome }} />);

it('shows the first of thousands of parts, and offers more', () => {
  const content = Array.from({ length: 5000 }, (_, index) => ({ type: 'text', text: `part ${index}` }));
  const markup = render({ result: { content } });
  expect(markup.match(/<pre/g)).toHaveLength(100);
  expect(markup).toContain('100 of 5000 parts are shown.');
  expect(markup).toContain('>Show more</button>');
});

it('says that the answer is a part', () => {
  expect(render({ leftOut: { characters: 9, values: 0, isAtLeast: false } })).toContain(
    'This is a part of the answer: 9 characters of it are not shown',
  );
  expect(render({})).not.toContain('part of the answer');
});
