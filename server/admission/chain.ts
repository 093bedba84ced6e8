import type { Admission, AdmissionAttributes, AdmissionPlugin } from './admission.ts';

/** Asks plugins in the order of their list, first all that mutate, then (in another pass) all that validate. */
export function admissionChain(plugins: readonly AdmissionPlugin[]): Admission {
  const mutating = plugins.filter((plugin) => plugin.mutate);
  const validating = plugins.filter((plugin) => plugin.validate);
  return {
    async mutate(attributes: AdmissionAttributes) {
      for (const plugin of mutating) if (plugin.handles(attributes)) await plugin.mutate?.(attributes);
    },
    async validate(attributes: AdmissionAttributes) {
      for (const plugin of validating) if (plugin.handles(attributes)) await plugin.validate?.(attributes);
    },
  };
}
