import { expect, it } from 'vitest';
import { ColourDialog } from '../../../renderer/commands/colour-dialog.tsx';
import { aServer } from '../builders.ts';
import { render } from '../render-view.tsx';

it('the choice of a colour shows the own one, and which server has which', () => {
  const markup = render(<ColourDialog server="b" />, { servers: [aServer('a'), aServer('b')] });
  const choices = markup.split('<label').slice(1);
  expect(choices).toHaveLength(9);
  expect(choices.filter((choice) => choice.includes('checked')).join()).toContain('Teal');
  expect(choices.find((choice) => choice.includes('Violet'))).toContain('>a</span>');
  expect(choices.at(-1)).toContain('None');
});
