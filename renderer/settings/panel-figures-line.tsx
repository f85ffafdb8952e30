import { useEffect, useState } from 'react';
import type { PanelFigures } from '../../shared/panel-figures.ts';
import { panelFiguresWords } from '../format/loop-words.ts';
import { useServices } from '../services.ts';
import styles from './updates-field.module.css';

const ASK_EVERY_MS = 2000;
const MEANING =
  'How long one in a hundred of the things that came up in the last minute had to wait for the main process';

/** Costs of the panel itself, read as long as they are shown. */
export function PanelFiguresLine() {
  const { api } = useServices();
  const [figures, setFigures] = useState<PanelFigures>();
  useEffect(() => {
    const ask = () => {
      api.getPanelFigures().then(setFigures, () => setFigures(undefined));
    };
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [api]);
  return (
    <span className={styles.words} title={MEANING}>
      {panelFiguresWords(figures ?? {})}
    </span>
  );
}
