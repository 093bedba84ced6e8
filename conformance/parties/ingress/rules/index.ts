import type { PartyRule } from '../../party.ts';
import type { IngressContext } from '../context.ts';
import { changeRules } from './changes.ts';
import { defaultBackendRules } from './default-backend.ts';
import { hostRules } from './hosts.ts';
import { pathRules } from './paths.ts';
import { sliceRules } from './slices.ts';
import { tlsRules } from './tls.ts';
import { trafficRules } from './traffic.ts';

/** In the order of reports. */
export const ingressRules: readonly PartyRule<IngressContext>[] = [
  ...pathRules,
  ...hostRules,
  ...defaultBackendRules,
  ...tlsRules,
  ...sliceRules,
  ...trafficRules,
  ...changeRules,
];
