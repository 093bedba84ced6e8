import type { Service } from '../../kinds/core/service/shape.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { writes } from '../concern.ts';
import { refusal } from '../refusal.ts';

/** Services get no further external addresses: whoever sets one draws the traffic for it. */
export const denyServiceExternalIps: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  cares: [writes('', 'services', 'CREATE', 'UPDATE')],
  validate(attributes) {
    const kept = new Set((attributes.oldObject as Service | undefined)?.spec?.externalIPs);
    const added = ((attributes.object as Service).spec?.externalIPs ?? []).some((address) => !kept.has(address));
    if (added) throw refusal(attributes, 'Use of external IPs is denied by admission control.');
  },
};
