import { useState } from 'react';
import { entryValueAt } from '../entry/raw-entry.ts';
import { useServices } from '../services.ts';
import { useSettings } from '../settings/use-settings.ts';
import { hasMoved } from '../store/programs-store.ts';
import { CheckField } from '../ui/check-field.tsx';
import styles from './client-dialog.module.css';

const choices = [
  {
    path: 'gateway.startWithClients',
    label: 'Start with the first client',
    hint: 'Without a window, when a program needs it; not after you have quit it.',
  },
  { path: 'startAtLogin', label: 'Start at login', hint: 'Servers are up before you need them.' },
];

/** When the panel starts by itself, chosen at the first move of a home: from then on a program needs the panel. */
export function useStartChoice() {
  const { manage, programs, settings: store } = useServices();
  const settings = useSettings();
  const [isAsked] = useState(() => programs.state.getState().found?.some(hasMoved) === false);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isSet = (path: string) => entryValueAt(settings ?? {}, path) === true;
  const save = async () => {
    for (const [path, isOn] of chosen) {
      if (isOn === isSet(path)) continue;
      await store.set(path, isOn);
      const status = store.changes.getState().byKey.get(path);
      if (status?.phase === 'failed')
        manage.setNote({ kind: 'failed', lead: 'Not saved', server: 'settings.json', error: status.error });
    }
  };
  return {
    isAsked,
    isOn: (path: string) => chosen.get(path) ?? isSet(path),
    choose: (path: string, isOn: boolean) => setChosen(new Map([...chosen, [path, isOn]])),
    save,
  };
}

type StartQuestionProps = Pick<ReturnType<typeof useStartChoice>, 'isOn' | 'choose'>;

export const StartQuestion = ({ isOn, choose }: StartQuestionProps) => (
  <fieldset className={styles.start}>
    <legend className={styles.name}>These programs will need the panel. When should it start?</legend>
    {choices.map(({ path, label, hint }) => (
      <CheckField
        key={path}
        label={label}
        hint={hint}
        isChecked={isOn(path)}
        onChange={(next) => choose(path, next)}
      />
    ))}
  </fieldset>
);
