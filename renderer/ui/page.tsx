import type { ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** Count or version beside the title. */
  readonly note?: ReactNode;
  /** Link before the title. */
  readonly lead?: ReactNode;
  /** Fields and buttons in the header. */
  readonly tools?: ReactNode;
  /** Whether the page consists of charts, with their time selection directly below the header. */
  readonly hasCharts?: boolean;
  readonly children: ReactNode;
}

/** View that fills the window beside the navigation: a header, and the content below it. */
export function Page({ title, lead, note, tools, hasCharts = false, children }: PageProps) {
  return (
    <div className="flex flex-col h-full">
      <header
        className={`flex flex-none flex-wrap items-center gap-8 px-16 ${hasCharts ? 'min-h-48' : 'min-h-52 border-b border-line'}`}
      >
        {lead}
        <h1 className="page-title">{title}</h1>
        {note !== undefined && <span className="flex-1 pt-4 select-text text-dim">{note}</span>}
        {tools}
      </header>
      {children}
    </div>
  );
}

/** Text only for screen readers. */
export const Unseen = ({ children }: { readonly children: ReactNode }) => (
  <span className="sr-only">{children}</span>
);
