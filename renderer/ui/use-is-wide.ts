import { useMediaQuery } from '@mantine/hooks';

/** Whether the app window is wide enough to show the list and the page of a server side by side. */
export const useIsWide = (): boolean =>
  useMediaQuery('(min-width: 1600px)', false, { getInitialValueInEffect: false });
