import type { ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { copyText } from '../ui/copy-button.tsx';

/** Renders Markdown from a server. The Markdown cannot add HTML to the page, no images are loaded, and links do nothing. */
export function Markdown({ text }: { readonly text: string }) {
  return <ReactMarkdown components={components}>{text}</ReactMarkdown>;
}

const headingOf = ({ children }: { readonly children?: ReactNode }) => (
  <p className="font-semibold text-text">{children}</p>
);

const components: Components = {
  a: ({ href, children }) =>
    href === undefined || href === '' ? (
      <>{children}</>
    ) : (
      <button
        type="button"
        className="text-left link text-text"
        data-tip={`Copy ${href}`}
        onClick={() => void copyText(href)}
      >
        {children}
      </button>
    ),
  img: ({ alt }) => <>{alt}</>,
  // Headings become paragraphs, because they would not fit the heading levels of the page.
  h1: headingOf,
  h2: headingOf,
  h3: headingOf,
  h4: headingOf,
  h5: headingOf,
  h6: headingOf,
};
