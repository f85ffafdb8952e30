import { useState } from 'react';
import { colourNames, withColour } from '../format/server-colours.ts';
import { useColours, useServices } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import styles from './colour-dialog.module.css';

const choices = [...colourNames.map((name, slot) => ({ name, slot })), { name: 'None', slot: null }];

/** Choice of a server's colour. A colour that another server has is taken from it. */
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
      <fieldset className={styles.choices}>
        <legend>It is drawn in this colour in all charts and logs.</legend>
        {choices.map(({ name, slot }) => (
          <label key={name} className={`${styles.choice} flex items-center gap-8 min-w-0`}>
            <input
              type="radio"
              name="colour"
              data-autofocus={slot === chosen || undefined}
              checked={slot === chosen}
              onChange={() => setChosen(slot)}
            />
            <span
              className={styles.swatch}
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
