import { mirrorAnnotation } from '../../../kinds/core/pod/annotations.ts';
import type { Pod, PodSpec } from '../../../kinds/core/pod/shape.ts';
import type { ServiceAccount } from '../../../kinds/core/service-account.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import { refusal } from '../../refusal.ts';
import { foreignSecret, readsSecrets, usesAccountTokens } from './secret-references.ts';
import { mountToken } from './token-volume.ts';

const defaultAccount = 'default';
/** Of an account: its pods may only use the secrets that it lists. */
const onlyListedAnnotation = 'kubernetes.io/enforce-mountable-secrets';

/** A node shows with it what it runs by itself; nothing is added to it. */
const isMirror = ({ metadata }: Pod) => metadata.annotations?.[mirrorAnnotation] !== undefined;

/** Gives pods the account `default`, demands that the account exists, and mounts a token of it. */
export const serviceAccount = ({ lookup, ids }: Pick<PluginServices, 'lookup' | 'ids'>): AdmissionPlugin => {
  const accountOf = async (attributes: AdmissionAttributes, name: string): Promise<ServiceAccount> => {
    const { namespace } = attributes;
    const found = await lookup.get('', 'serviceaccounts', namespace, name);
    if (found) return found;
    const missing = `serviceaccount ${JSON.stringify(name)} not found`;
    throw refusal(attributes, `error looking up service account ${namespace}/${name}: ${missing}`);
  };
  const check = async (attributes: AdmissionAttributes, pod: Pod) => {
    const spec = pod.spec ?? {};
    if (!spec.serviceAccountName) {
      const whose = `${attributes.namespace}/${pod.metadata.name ?? ''}`;
      throw refusal(attributes, `no service account specified for pod ${whose}`);
    }
    demandListedSecrets(attributes, spec, await accountOf(attributes, spec.serviceAccountName));
  };
  return {
    name: 'ServiceAccount',
    cares: [writes('', 'pods', 'CREATE'), { ...writes('', 'pods', 'UPDATE'), subresources: ['ephemeralcontainers'] }],
    async mutate(attributes) {
      const pod = attributes.object as Pod | undefined;
      if (!pod || attributes.operation !== 'CREATE') return;
      if (isMirror(pod)) return checkMirror(attributes, pod);
      pod.spec ??= {};
      const { spec } = pod;
      spec.serviceAccountName ||= spec.serviceAccount || defaultAccount;
      spec.serviceAccount = spec.serviceAccountName;
      const account = await accountOf(attributes, spec.serviceAccountName);
      takeOver(spec, account, ids);
      // Told of before an invalid object.
      demandListedSecrets(attributes, spec, account);
    },
    async validate(attributes) {
      const pod = attributes.object as Pod | undefined;
      if (!pod) return;
      if (isMirror(pod)) checkMirror(attributes, pod);
      else await check(attributes, pod);
    },
  };
};

/** What a pod has of its account, where it says nothing else: a token, and secrets to pull images with. In place. */
function takeOver(spec: PodSpec, account: ServiceAccount, ids: PluginServices['ids']): void {
  if (mountsToken(spec, account)) mountToken(spec, ids);
  if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
    spec.imagePullSecrets = account.imagePullSecrets.map(({ name }) => (name === undefined ? {} : { name }));
  }
}

/** The pod's own setting goes before the account's; without either a token is mounted. */
const mountsToken = (spec: PodSpec, account: ServiceAccount) =>
  spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;

function demandListedSecrets(attributes: AdmissionAttributes, spec: PodSpec, account: ServiceAccount): void {
  const setting = account.metadata.annotations?.[onlyListedAnnotation] ?? '';
  if (!/^(?:1|t|true)$/i.test(setting)) return;
  const problem = foreignSecret(spec, account);
  if (problem) throw refusal(attributes, problem);
}

/** What nodes run by themselves has no identity in the cluster. */
function checkMirror(attributes: AdmissionAttributes, { spec = {} }: Pod): void {
  if (spec.serviceAccountName) throw refusal(attributes, 'a mirror pod may not reference service accounts');
  if (readsSecrets(spec)) throw refusal(attributes, 'a mirror pod may not reference secrets');
  if (usesAccountTokens(spec)) {
    throw refusal(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}
