import { useState } from 'react';
import { colourNames, withColour } from '../format/server-colours.ts';
import { useColours, useServices } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';

const choices = [...colourNames.map((name, slot) => ({ name, slot })), { name: 'None', slot: null }];

/** Dialog that chooses the colour of a server. If another server has the chosen colour, that other server loses it. */
export function ColourDialog({ server }: { readonly server: string }) {
  const { manage, view } = useServices();
  const colours = useColours();
  const [chosen, setChosen] = useState(colours.get(server) ?? null);
  const close = () => manage.close();
  const give = () => {
    view.setState({ colours: withColour(colours, server, chosen) });
    close();
  };
  const ownerOf = (slot: number | null) =>
    [...colours].find(([name, had]) => slot !== null && had === slot && name !== server)?.[0];
  const loser = ownerOf(chosen);
  return (
    <Dialog
      title={`Colour of ${server}`}
      size="small"
      onClose={close}
      main={{ words: 'Use this colour', run: give }}
    >
      <fieldset className="grid grid-cols-2 gap-x-16 gap-y-4">
        <legend className="px-0 pb-8">It is drawn in this colour in all charts and logs.</legend>
        {choices.map(({ name, slot }) => (
          <label key={name} className="flex items-center gap-8 min-w-0 min-h-28">
            <input
              type="radio"
              className="m-0 accent-accent"
              name="colour"
              data-autofocus={slot === chosen || undefined}
              checked={slot === chosen}
              onChange={() => setChosen(slot)}
            />
            <span
              className="flex-none size-12 rounded-sm forced-color-adjust-none"
              style={{ background: slot === null ? 'var(--no-colour)' : `var(--series-${slot})` }}
            />
            {name} <span className="min-w-0 truncate text-12 text-dim">{ownerOf(slot)}</span>
          </label>
        ))}
      </fieldset>
      <p role="status">{loser !== undefined && `${loser} has it now, and becomes grey.`}</p>
    </Dialog>
  );
}
