import { expect, it } from 'vitest';
import { Inspector } from '../../../renderer/inspector/inspector.tsx';
import type { InspectorState } from '../../../renderer/store/inspector-store.ts';
import { toItems } from '../../../renderer/offer/offer-items.ts';
import { aServer } from '../builders.ts';
import { render as renderView } from '../render-view.tsx';

const error = { code: 'REQUEST_TIMEOUT', message: 'tools/list had no answer by its deadline.' } as const;

/** Markup of the inspector of a running server. */
const render = (changes: Partial<InspectorState>) =>
  renderView(<Inspector server={aServer('one')} />, {}, ({ inspectors }) => {
    const { state } = inspectors.of('one');
    state.setState(changes);
    Object.assign(state, { getInitialState: state.getState });
  });

it('says what could not be listed and offers another try, instead of that nothing is on offer', () => {
  const failures = [{ list: 'tools', error }] as const;
  for (const changes of [{ offerError: error }, { items: [], failures }]) {
    const markup = render(changes);
    expect(markup).toContain('could not be listed');
    expect(markup).toContain(error.message);
    expect(markup).toContain('>List again</button>');
    expect(markup).not.toContain('offers no tools');
  }
  expect(render({ items: [] })).toContain('offers no tools, prompts or resources');
});

it('shows the lists that came beside the trouble with another one', () => {
  const items = toItems({ tools: [], prompts: [{ name: 'p' }], resources: [], resourceTemplates: [] });
  const markup = render({ items, failures: [{ list: 'tools', error }] });
  expect(markup).toContain('Its tools could not be listed');
  expect(markup).toContain('aria-label="Offer"');
  // One button to list again is enough, and the list has it.
  expect(markup).toContain('aria-label="List again"');
  expect(markup).not.toContain('>List again</button>');
});

it('shows the first tools of thousands and how many there are, and finds all of them', () => {
  const tools = Array.from({ length: 5000 }, (_, index) => ({ name: `tool_${index}` }));
  const items = toItems({ tools, prompts: [], resources: [], resourceTemplates: [] });
  const parts = [{ list: 'tools', shown: 5000, total: 100_000, isAtLeast: false }] as const;
  const entriesIn = (markup: string) =>
    markup.match(/data-entry="true" aria|<button[^>]*aria-label="tool_\d+"/g)?.length;
  const markup = render({ items, parts });
  expect(markup).toContain('5000 of 100\u2009000 tools are listed');
  expect(entriesIn(markup)).toBe(200);
  expect(markup).toContain('Show 200 more of 4800');
  const found = render({ items, search: 'tool_4999' });
  expect(entriesIn(found)).toBe(1);
  expect(found).toContain('aria-label="tool_4999"');
});

it('does not lay out the name of a tool of a quarter of a megabyte, and still sends it whole', () => {
  const name = 'x'.repeat(256 * 1024);
  const [item] = toItems({ tools: [{ name }], prompts: [], resources: [], resourceTemplates: [] });
  expect(item?.name.length).toBeLessThan(400);
  expect(item?.toCall({}).params).toMatchObject({ name });
});

it('offers a time limit for a call, empty until somebody sets one, and says what is wrong with it', () => {
  const items = toItems({ tools: [{ name: 'echo' }], prompts: [], resources: [], resourceTemplates: [] });
  const limited = (timeLimit: string) => render({ items, inputs: new Map([[items[0]!.key, { timeLimit }]]) });
  expect(render({ items })).toMatch(
    /<label[^>]*for="([^"]*)"[^>]*>Time limit<.*<input[^>]*id="\1"[^>]*value=""/s,
  );
  expect(limited('2.5')).toContain('value="2.5"');
  expect(limited('2.5')).not.toContain('Takes seconds');
  expect(limited('soon')).toContain('Takes seconds');
});
