import { useRef, useState, type ReactNode } from 'react';
import styles from './settings-sections.module.css';

export interface SettingsSection {
  readonly title: string;
  readonly hint?: string;
  readonly content: ReactNode;
}

/** All sections one below the other; in a wide app window, links to them are on the left. */
export function SettingsSections({ sections }: { readonly sections: readonly SettingsSection[] }) {
  const scrolled = useRef<HTMLDivElement>(null);
  const [inView, setInView] = useState(0);
  const elements = () => [...(scrolled.current?.querySelectorAll<HTMLElement>('section') ?? [])];
  const look = () => {
    if (scrolled.current !== null) setInView(sectionInView(scrolled.current, elements()));
  };
  const show = (index: number) => {
    const heading = elements()[index]?.querySelector<HTMLElement>('h2');
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
    setInView(index);
  };
  return (
    <div className={styles.columns}>
      <nav className={styles.names} aria-label="Sections of settings">
        {sections.map(({ title }, index) => (
          <button
            key={title}
            type="button"
            className={index === inView ? styles.current : styles.name}
            aria-current={index === inView ? 'true' : undefined}
            onClick={() => show(index)}
          >
            {title}
          </button>
        ))}
      </nav>
      <div ref={scrolled} className={styles.sections} onScroll={look}>
        {sections.map((section) => (
          <Section key={section.title} {...section} />
        ))}
      </div>
    </div>
  );
}

function Section({ title, hint, content }: SettingsSection) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.title} tabIndex={-1}>
        {title}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </h2>
      <div className={styles.fields}>{content}</div>
    </section>
  );
}

interface Scrolled {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
  readonly offsetTop: number;
}

/** Distance from the upper edge, in pixels, within which a section must begin to count as the one being read. */
const READ_PX = 64;

/** Index of the section being read: the last that begins above the reading line, or the last at the end. */
export function sectionInView(view: Scrolled, sections: readonly { readonly offsetTop: number }[]): number {
  const isAtEnd = view.scrollTop > 0 && view.scrollTop + view.clientHeight >= view.scrollHeight - 1;
  if (isAtEnd) return sections.length - 1;
  const edge = view.offsetTop + view.scrollTop + READ_PX;
  return Math.max(
    0,
    sections.findLastIndex(({ offsetTop }) => offsetTop <= edge),
  );
}
