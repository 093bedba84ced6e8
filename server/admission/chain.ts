import type { Admission, AdmissionAttributes, AdmissionPlugin, SecondLook } from './admission.ts';

/**
 * Asks plugins in the order of their list, first all that mutate, then (in another pass) all that validate. When a
 * plugin asks for a second look, all that mutate are asked once more, since the object changed after they saw it.
 */
export function admissionChain(plugins: readonly AdmissionPlugin[]): Admission {
  const mutating = plugins.filter((plugin) => plugin.mutate);
  const validating = plugins.filter((plugin) => plugin.validate);
  return {
    async mutate(attributes: AdmissionAttributes) {
      const looks = new Map<AdmissionPlugin, SecondLook>();
      for (const plugin of mutating) {
        const answer = plugin.handles(attributes) ? plugin.mutate?.(attributes) : undefined;
        // Most are done at once: no need to wait a turn for each.
        const look = answer instanceof Promise ? await answer : answer;
        if (look) looks.set(plugin, look);
      }
      if (looks.size === 0) return;
      for (const plugin of mutating) {
        const look = looks.get(plugin);
        if (look) await look();
        else if (plugin.handles(attributes)) await plugin.mutate?.(attributes);
      }
    },
    async validate(attributes: AdmissionAttributes) {
      for (const plugin of validating) {
        const answer = plugin.handles(attributes) ? plugin.validate?.(attributes) : undefined;
        if (answer instanceof Promise) await answer;
      }
    },
  };
}
