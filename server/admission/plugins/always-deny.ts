import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';

const refuse = (attributes: AdmissionAttributes): never => {
  throw refusal(attributes, 'admission control is denying all modifications');
};

/** Refuses every write; for trying out what happens then. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  cares: [{ operations: ['*'], subresources: ['*'] }],
  check: refuse,
  validate: refuse,
};
