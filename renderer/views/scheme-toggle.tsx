import type { MantineColorScheme } from '@mantine/core';
import { shortcutLabels } from '../keyboard.ts';
import { useTheme } from '../settings/use-theme.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import styles from './scheme-toggle.module.css';
import { Segments } from '../ui/segments.tsx';

const schemes: readonly { value: MantineColorScheme; name: string; icon: IconName }[] = [
  { value: 'light', name: 'Light', icon: 'light' },
  { value: 'dark', name: 'Dark', icon: 'dark' },
  { value: 'auto', name: 'As the system', icon: 'system' },
];

const choices = schemes.map(({ value, name, icon }) => ({
  value,
  label: (
    <span className={styles.choice} data-tip={`${name}  ${shortcutLabels.scheme}`}>
      <Icon name={icon} size={14} />
      <span className={styles.name}>{name}</span>
    </span>
  ),
}));

/** Toggle of the scheme: light, dark, or the system's; kept for the next launch. */
export function SchemeToggle() {
  const [scheme, setScheme] = useTheme();
  return <Segments name="Colour scheme" isWide value={scheme} choices={choices} onChange={setScheme} />;
}
