import styles from './app-mark.module.css';

/** Mark of the app: the plug in a rounded square, as in the tray and the app icon. It decorates the name. */
export function AppMark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <rect className={styles.ground} width="20" height="20" rx="4.6" />
      <path
        className={styles.plug}
        d="M6.9 3.5h1.8v4h2.6v-4h1.8v4h1.4v2a4.5 4.5 0 0 1-3.6 4.4v2.6H9.1v-2.6a4.5 4.5 0 0 1-3.6-4.4v-2h1.4z"
      />
    </svg>
  );
}
