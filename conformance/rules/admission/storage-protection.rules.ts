import { defineRule } from '../../rule.ts';
import { removeIn } from '../../sabotage/transforms.ts';

export default [
  // A new claim gets the finalizer `kubernetes.io/pvc-protection`.
  defineRule('admission.storage-protection.claims', {
    sabotage: removeIn('metadata.finalizers', { path: /\/persistentvolumeclaims$/ }),
    async check({ persistentVolumeClaims, expect }) {
      const { status, body } = await persistentVolumeClaims.post(persistentVolumeClaims.sample());
      expect(status).toBe(201);
      expect(body.metadata.finalizers ?? []).toContain('kubernetes.io/pvc-protection');
    },
  }),

  // A new volume gets the finalizer `kubernetes.io/pv-protection`.
  defineRule('admission.storage-protection.volumes', {
    sabotage: removeIn('metadata.finalizers', { path: /\/persistentvolumes$/ }),
    async check({ persistentVolumes, expect }) {
      const { status, body } = await persistentVolumes.post(persistentVolumes.sample());
      expect(status).toBe(201);
      expect(body.metadata.finalizers ?? []).toContain('kubernetes.io/pv-protection');
    },
  }),
];
