import { describeAbsence } from '../format/absence-words.ts';
import { hrefOf } from '../store/route-store.ts';
import { usePanel, useServices, useView } from '../services.ts';
import styles from './status-band.module.css';

/** Note on what happened while the window was not looked at. It leads to the events and disappears once followed. */
export function AbsenceNote() {
  const { view } = useServices();
  const since = useView((state) => state.awaySince);
  const words = usePanel((state) => (since === undefined ? '' : describeAbsence(state.events, since)));
  if (words === '') return null;
  return (
    <a
      className={styles.absence}
      href={hrefOf({ view: 'activity' })}
      onClick={() => view.setState({ awaySince: undefined })}
    >
      Since you last looked: {words}
    </a>
  );
}
