import { SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { shortcutLabels } from '../keyboard.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './scheme-toggle.module.css';

const choices: readonly { value: MantineColorScheme; name: string; icon: IconName }[] = [
  { value: 'light', name: 'Light', icon: 'light' },
  { value: 'dark', name: 'Dark', icon: 'dark' },
  { value: 'auto', name: 'As the system', icon: 'system' },
];

/** Light, dark, or as the system has it. */
export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label="Colour scheme"
      className={styles.toggle ?? ''}
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
      data={choices.map(({ value, name, icon }) => ({
        value,
        label: (
          <span className={styles.choice} data-tip={`${name}  ${shortcutLabels.scheme}`}>
            <Icon name={icon} size={14} />
            <span className={styles.name}>{name}</span>
          </span>
        ),
      }))}
    />
  );
}
