import type { Admission } from './admission.ts';

/** Lets everything pass. */
export const noAdmission: Admission = { mutate: async () => {}, validate: async () => {} };
