import type { MantineColorsTuple } from '@mantine/core';

/**
 * Colours of states and data. Some shades are custom, because Mantine's shades 6 and 7 of these hues do not reach a contrast of
 * 3 : 1 on white. A test checks the contrast, and that states can be distinguished with common colour-vision deficiencies.
 */
export const palette = {
  green: tuple('#ebfbee #d3f9d8 #b2f2bb #8ce9b0 #69e09c #4bd68e #2fb56d #14914f #117f45 #0d6838'),
  yellow: tuple('#fff9db #fff3bf #ffec99 #ffe066 #ffd43b #fcc419 #d19a05 #a87b00 #946c00 #7a5900'),
  orange: tuple('#fff4e6 #ffe8cc #ffd8a8 #ffc078 #ffa94d #ff922b #f76707 #d9560b #c24a06 #a33f06'),
  red: tuple('#fff5f5 #ffe3e3 #ffc9c9 #ffa8a8 #ff8787 #ff6363 #f03e3e #cb2338 #b41d30 #a61c2e'),
  blue: tuple('#e7f5ff #d0ebff #a5d8ff #74c0fc #4dabf7 #339af0 #1f7fe0 #1c72d0 #1966bd #16599f'),
  iris: tuple('#eef0fe #e3e6fd #c8cffb #aab4fd #93a2ff #7486f5 #5767e4 #4353d6 #3747bd #2d3a9c'),
  gray: tuple('#f8f9fa #f1f3f5 #e9ecef #dee2e6 #ced4da #adb5bd #757c85 #495057 #343a40 #212529'),
  dark: tuple('#e5e7ea #cfd3d9 #a8afb9 #8f97a2 #434a54 #2c3138 #24282e #1c1f24 #15171b #0f1114'),
} as const;

/**
 * Background and text colours, and the accent colour for selection, focus and the main button. Text colours and the accent
 * reach a contrast of 4.5 : 1 on every background of their scheme; on `hit`, the background of matches, only `text` does. The
 * accent is not the colour of any state, so that a selection never looks like a state.
 */
export const surfaces = {
  light: {
    sunken: '#f0f2f5',
    ground: '#f8f9fb',
    raised: '#ffffff',
    field: '#ffffff',
    thumb: '#ffffff',
    hover: '#eceef2',
    line: '#e0e4e9',
    strongLine: '#c6ccd4',
    text: '#1a1d23',
    dim: '#525963',
    faint: '#5f6671',
    accent: '#4353d6',
    accentHover: '#3747bd',
    accentSoft: '#e3e6fd',
    onAccent: '#ffffff',
    hit: '#fbe9ae',
    memory: '#5b5bd6',
    cpu: '#0b8291',
    noColour: '#737373',
    calls: '#5f7210',
    duration: '#a8437f',
  },
  dark: {
    sunken: '#0f1114',
    ground: '#15171b',
    raised: '#1c1f24',
    field: '#0f1114',
    thumb: '#41474f',
    hover: '#24282e',
    line: '#2c3138',
    strongLine: '#434a54',
    text: '#e6e8eb',
    dim: '#a8afb9',
    faint: '#8f97a2',
    accent: '#93a2ff',
    accentHover: '#aab4fd',
    accentSoft: '#262c4d',
    onAccent: '#10132b',
    hit: '#54461a',
    memory: '#8f8ff5',
    cpu: '#35b6c6',
    noColour: '#8a8a8a',
    calls: '#b3c24a',
    duration: '#e573b8',
  },
} as const;

export type SchemeName = keyof typeof surfaces;

/** Colour of each server state in the light and the dark scheme. */
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

/**
 * Colours that tell the servers apart. The slot of a server is the index of its colour in this list. None is the colour of a
 * state, because a healthy server must not look like one in trouble. A test checks their contrast, and that any two can be
 * distinguished with common colour-vision deficiencies.
 */
export const seriesShades: Readonly<Record<SchemeName, readonly string[]>> = {
  light: ['#8167e8', '#208a8f', '#bd456b', '#7e8309', '#034c61', '#673891', '#9a6646', '#4c698e'],
  dark: ['#7071d5', '#33b3aa', '#ec729c', '#bfbf43', '#9edffc', '#a581b9', '#d19e7a', '#9bb1d5'],
};

/**
 * Text colours that replace the ANSI terminal colours in logs. A test checks that each reaches a contrast of 4.5 : 1 on every
 * background that a log line can have.
 */
export const terminalShades = {
  light: {
    grey: surfaces.light.dim,
    red: '#b41d30',
    yellow: '#7a5900',
    green: '#0d6838',
    cyan: '#0a6371',
    blue: '#16599f',
    magenta: '#8f2f6c',
  },
  dark: {
    grey: surfaces.dark.dim,
    red: '#ff8787',
    yellow: '#e0b23e',
    green: '#4bd68e',
    cyan: '#4cc3d2',
    blue: '#74b6f7',
    magenta: '#ea8cc6',
  },
} as const;

function tuple(shades: string): MantineColorsTuple {
  return shades.split(' ') as unknown as MantineColorsTuple;
}
