import type { ReactNode } from 'react';

/** Line icons on a grid of 16 × 16, designed to be shown at 14 to 18 pixels. */
const drawings = {
  start: <path d="M5 3.2v9.6L12.6 8z" fill="currentColor" stroke="none" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" stroke="none" />,
  restart: <path d="M12.8 8A4.8 4.8 0 1 1 11.2 4.4M11.4 1.9v2.8H8.6" />,
  copy: (
    <path d="M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1z" />
  ),
  done: <path d="m3.2 8.6 3 3 6.6-7" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  back: <path d="M9.8 3.4 5.2 8l4.6 4.6" />,
  add: <path d="M8 3v10M3 8h10" />,
  import: <path d="M8 2.2v7.6M4.8 6.8 8 10l3.2-3.2M2.6 11v1.6a1 1 0 0 0 1 1h8.8a1 1 0 0 0 1-1V11" />,
  commands: <path d="m2.8 4.2 3.6 3.6-3.6 3.6M8 12h5.2" />,
  settings: (
    <path d="M2 4.4h6.4M12 4.4h2M2 11.6h2M7.6 11.6H14M12 4.4a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0zM7.6 11.6a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0z" />
  ),
  dots: (
    <path
      d="M3.5 6.9a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2zM8 6.9a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2zM12.5 6.9a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2z"
      fill="currentColor"
      stroke="none"
    />
  ),
  more: <path d="M6.2 3.8 10.4 8l-4.2 4.2" />,
  choose: <path d="M4.6 6.2 8 9.8l3.4-3.6" />,
  search: <path d="M10.4 10.4 13.6 13.6M11.6 7a4.6 4.6 0 1 1-9.2 0 4.6 4.6 0 0 1 9.2 0z" />,
  usage: <path d="M2.4 13.4h11.2M4 11V8.2M8 11V3M12 11V5.8" strokeWidth="1.8" />,
  compare: <path d="M2 11.6 6 7l3 2.4L14 4M2 5.2l3.6 1.6L10 12.4l4-1.2" />,
  zoomOut: <path d="M10.4 10.4 13.6 13.6M11.6 7a4.6 4.6 0 1 1-9.2 0 4.6 4.6 0 0 1 9.2 0zM5 7h4" />,
  table: <path d="M2.5 3h11v10h-11zM2.5 6.4h11M2.5 9.7h11M6.4 3v10" />,
  activity: <path d="M1.8 8.4h2.8l2-5 3 9.2 2-4.2h2.6" />,
  clients: <path d="M5.6 1.8v3.4M10.4 1.8v3.4M3.4 5.2h9.2v2.4a4.6 4.6 0 0 1-9.2 0zM8 12.2v2" />,
  light: (
    <path d="M8 1.6v1.2M8 13.2v1.2M1.6 8h1.2M13.2 8h1.2M3.5 3.5l.8.8M11.7 11.7l.8.8M3.5 12.5l.8-.8M11.7 4.3l.8-.8M10.8 8a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0z" />
  ),
  dark: <path d="M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z" />,
  system: <path d="M2.5 3.2h11v7.2h-11zM6 13.2h4M8 10.4v2.8" />,
  up: <path d="M8 13V3.6M4.2 7.4 8 3.6l3.8 3.8" />,
  down: <path d="M8 3v9.4M4.2 8.8 8 12.6l3.8-3.8" />,
  wrap: <path d="M2.4 3.6h11.2M2.4 8h8.8a2.2 2.2 0 0 1 0 4.4H7.4M9.2 10.4l-2 2 2 2M2.4 12.4h2" />,
  context: <path d="M2.4 3.4h11.2M2.4 12.6h11.2M2.4 8h6.4M11 6.2 12.8 8 11 9.8" />,
  container: <path d="M8 1.8 13.6 5v6L8 14.2 2.4 11V5zM2.4 5 8 8.2 13.6 5M8 8.2v6" />,
  logs: <path d="M2.4 3.6h2M6.6 3.6h7M2.4 8h2M6.6 8h7M2.4 12.4h2M6.6 12.4h7" />,
  columns: <path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />,
  warning: <path d="M8 2.2 14.4 13.4H1.6zM8 6.4v3.2M8 11.4v.2" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings;

/** Decorative icon; its accessible name is on the parent element. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawings[name]}
    </svg>
  );
}

/** Logo of the app: the plug in a rounded square, as in the tray and app icon. Decorative, because the name is beside it. */
export function AppMark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg className="block flex-none" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <rect className="fill-accent forced-colors:fill-[CanvasText]" width="20" height="20" rx="4.6" />
      <path
        className="fill-on-accent forced-colors:fill-[Canvas]"
        d="M6.9 3.5h1.8v4h2.6v-4h1.8v4h1.4v2a4.5 4.5 0 0 1-3.6 4.4v2.6H9.1v-2.6a4.5 4.5 0 0 1-3.6-4.4v-2h1.4z"
      />
    </svg>
  );
}
