import { createTheme, NativeSelect, type CSSVariablesResolver } from '@mantine/core';
import { createElement } from 'react';
import { Icon } from './ui/icon.tsx';
import { palette, seriesShades, stateShades, surfaces, terminalShades, type SchemeName } from './palette.ts';

/** Interface font, shipped with the app. Characters that the font lacks are shown in the system font. */
const fontFamily = '"Inter Variable", system-ui, sans-serif';

/** Font for code, paths and output, shipped with the app. */
const fontFamilyMonospace = '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace';

export const theme = createTheme({
  fontFamily,
  fontFamilyMonospace,
  colors: palette,
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 4 },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '4px', md: '6px', lg: '10px', xl: '10px' },
  cursorType: 'default',
  respectReducedMotion: true,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  components: {
    NativeSelect: NativeSelect.extend({
      defaultProps: { rightSection: createElement(Icon, { name: 'choose', size: 14 }) },
    }),
  },
});

/** Colours as CSS variables: `--state-running`, `--ground`, `--memory`, …; their names are defined only here. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables('light'),
  dark: schemeVariables('dark'),
});

function schemeVariables(scheme: SchemeName): Record<string, string> {
  const own = Object.entries(surfaces[scheme]).map(([name, colour]) => [`--${kebab(name)}`, colour] as const);
  const states = Object.entries(stateShades).map(
    ([kind, shades]) => [`--state-${kind}`, shades[scheme]] as const,
  );
  const series = seriesShades[scheme].map((colour, slot) => [`--series-${slot}`, colour] as const);
  const terminal = Object.entries(terminalShades[scheme]).map(
    ([name, colour]) => [`--terminal-${name}`, colour] as const,
  );
  const named: Record<string, string> = Object.fromEntries([...own, ...states, ...series, ...terminal]);
  return {
    ...named,
    '--state-note': surfaces[scheme].faint,
    '--state-cause': surfaces[scheme].dim,
    '--mantine-color-body': surfaces[scheme].ground,
    '--mantine-color-text': surfaces[scheme].text,
    '--mantine-color-dimmed': surfaces[scheme].dim,
    '--mantine-color-default': surfaces[scheme].field,
    '--mantine-color-default-hover': surfaces[scheme].hover,
    '--mantine-color-default-border': surfaces[scheme].strongLine,
    '--mantine-color-placeholder': surfaces[scheme].faint,
  };
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
