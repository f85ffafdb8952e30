import type { MantineColorsTuple } from '@mantine/core';

/**
 * State and data colours. Mantine's own shades 6 and 7 of these hues miss 3 : 1 on a white ground, so the shades that stand for a
 * state are set here; a test holds the contrast, and that the states are told apart with the common colour-vision deficiencies.
 */
export const palette = {
  green: tuple('#ebfbee #d3f9d8 #b2f2bb #8ce9b0 #69e09c #4bd68e #2fb56d #14914f #117f45 #0d6838'),
  yellow: tuple('#fff9db #fff3bf #ffec99 #ffe066 #ffd43b #fcc419 #d19a05 #a87b00 #946c00 #7a5900'),
  orange: tuple('#fff4e6 #ffe8cc #ffd8a8 #ffc078 #ffa94d #ff922b #f76707 #d9560b #c24a06 #a33f06'),
  red: tuple('#fff5f5 #ffe3e3 #ffc9c9 #ffa8a8 #ff8787 #ff6363 #f03e3e #d6293c #bf2135 #a61c2e'),
  blue: tuple('#e7f5ff #d0ebff #a5d8ff #74c0fc #4dabf7 #339af0 #1f7fe0 #1c72d0 #1966bd #16599f'),
  gray: tuple('#f8f9fa #f1f3f5 #e9ecef #dee2e6 #ced4da #adb5bd #757c85 #495057 #343a40 #212529'),
  dark: tuple('#e5e7ea #cfd3d9 #a6adb7 #8d949f #3c4148 #292d32 #1f2226 #17191c #111315 #0c0d0f'),
} as const;

/** Grounds and inks. Text inks reach 4.5 : 1 on every ground of their scheme; on `hit`, behind words that were found, only text. */
export const surfaces = {
  light: {
    ground: '#ffffff',
    raised: '#ffffff',
    side: '#f7f8f9',
    hover: '#f2f4f6',
    line: '#e4e7ea',
    strongLine: '#cfd4d9',
    text: '#1b1e23',
    dim: '#565d67',
    hit: '#fbe9ae',
    faint: '#676e79',
    memory: '#5b5bd6',
    cpu: '#0b8291',
    files: '#8a5a9e',
    processes: '#66707c',
    latency: '#0b8291',
    calls: '#5f7210',
    duration: '#a8437f',
  },
  dark: {
    ground: '#17191c',
    raised: '#41474f',
    side: '#111315',
    hover: '#1f2226',
    line: '#292d32',
    strongLine: '#3c4148',
    text: '#e5e7ea',
    dim: '#a6adb7',
    hit: '#54461a',
    faint: '#8d949f',
    memory: '#8f8ff5',
    cpu: '#35b6c6',
    files: '#c293d6',
    processes: '#9aa4b1',
    latency: '#35b6c6',
    calls: '#b3c24a',
    duration: '#e08fc0',
  },
} as const;

export type SchemeName = keyof typeof surfaces;

/** Shade of each state, by scheme. */
export const stateShades = {
  running: { light: palette.green[7], dark: palette.green[5] },
  starting: { light: palette.blue[6], dark: palette.blue[4] },
  suspect: { light: palette.yellow[7], dark: palette.yellow[4] },
  stalled: { light: palette.orange[7], dark: palette.orange[5] },
  backoff: { light: palette.orange[7], dark: palette.orange[5] },
  stopping: { light: palette.gray[6], dark: palette.gray[4] },
  stopped: { light: palette.gray[6], dark: palette.gray[4] },
  failed: { light: palette.red[7], dark: palette.red[5] },
} as const;

function tuple(shades: string): MantineColorsTuple {
  return shades.split(' ') as unknown as MantineColorsTuple;
}
