import { useServices, useView } from '../services.ts';
import { columnSwitches, listDensities, type ColumnSwitch, type ListDensity } from '../format/list-choice.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Popover } from '../ui/popover.tsx';
import { Segments } from '../ui/segments.tsx';
import styles from './view-fields.module.css';

const densityNames: Readonly<Record<ListDensity, string>> = {
  comfortable: 'Comfortable',
  compact: 'Compact',
};

/** Appearance of the list: the height of its rows and its columns. */
export function ViewFields() {
  const { view } = useServices();
  const density = useView((state) => state.density);
  return (
    <Popover name="View of the list" label="View" icon="columns" tip="Height of the rows, and columns">
      <div className={styles.fields}>
        <Segments
          name="Rows"
          isWide
          value={density}
          choices={listDensities.map((value) => ({ value, label: densityNames[value] }))}
          onChange={(value) => view.setState({ density: value })}
        />
        <fieldset className={styles.columns}>
          <legend className={styles.legend}>Columns</legend>
          {columnSwitches.map(({ setting, label, words }) => (
            <ColumnField key={setting} setting={setting} label={label} words={words} />
          ))}
        </fieldset>
      </div>
    </Popover>
  );
}

interface ColumnFieldProps {
  readonly setting: ColumnSwitch;
  readonly label: string;
  readonly words: string;
}

function ColumnField({ setting, label, words }: ColumnFieldProps) {
  const { view } = useServices();
  const isShown = useView((state) => state[setting]);
  return (
    <CheckField
      label={label}
      name={`Show ${words}`}
      isChecked={isShown}
      onChange={(isChecked) => view.setState({ [setting]: isChecked })}
    />
  );
}
