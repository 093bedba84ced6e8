import { type FieldError, invalidValue } from '../../base/field-error.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { bootstrapObjects } from '../../schema/load.ts';
import { sameValue } from '../same-value.ts';

/** Without these requests would not be served: what they say is fixed. */
const mandatory = ['exempt', 'catch-all'];

/** For the validation of a kind whose objects of these names are as the server makes them. */
export function fixedSpec({ metadata, spec }: KubeObject & { spec?: unknown }, resource: string): FieldError[] {
  if (!mandatory.includes(metadata.name ?? '')) return [];
  const made = bootstrapObjects()[`/apis/flowcontrol.apiserver.k8s.io/v1beta2/${resource}`] ?? [];
  const fixed = made.find(({ metadata: { name } }) => name === metadata.name);
  return sameValue(spec, fixed?.['spec']) ? [] : [invalidValue('spec', spec, `is fixed for ${metadata.name}`)];
}
