import type { ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { copyText } from '../ui/clipboard.ts';
import styles from './description.module.css';

/** Markdown of a server. No markup of its own gets into the page, no picture is loaded, and no link is followed. */
export function Markdown({ text }: { readonly text: string }) {
  return <ReactMarkdown components={components}>{text}</ReactMarkdown>;
}

const headingOf = ({ children }: { readonly children?: ReactNode }) => (
  <p className={styles.heading}>{children}</p>
);

const components: Components = {
  a: ({ href, children }) =>
    href === undefined || href === '' ? (
      <>{children}</>
    ) : (
      <button
        type="button"
        className={styles.link}
        data-tip={`Copy ${href}`}
        onClick={() => void copyText(href)}
      >
        {children}
      </button>
    ),
  img: ({ alt }) => <>{alt}</>,
  // The page has headings of its own, between which these would stand at the wrong level.
  h1: headingOf,
  h2: headingOf,
  h3: headingOf,
  h4: headingOf,
  h5: headingOf,
  h6: headingOf,
};
