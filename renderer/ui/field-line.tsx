import type { ReactNode } from 'react';

/** Row of a form: a label and its control. */
export const FieldLine = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="form-row">
    <span className="py-4 label">{label}</span>
    <div className="flex flex-col items-start gap-8">{children}</div>
  </div>
);
