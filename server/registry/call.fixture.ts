import type { KubeObject } from '../base/kube-object.ts';
import { StatusError } from '../base/status-error.ts';
import { kindsFor } from '../kinds/index.ts';
import type { WriteCall } from './call.ts';
import { builtIns, type ListedResource, Resources } from './resources.ts';
import { Surroundings } from './surroundings.fixture.ts';

const resources = new Resources(builtIns(kindsFor()));

export const resourceOf = (group: string, version: string, plural: string): ListedResource => {
  const found = resources.find(group, version, plural);
  if (!found) throw new Error(`there is no ${plural} in ${group}/${version}`);
  return found;
};

export const configMapResource = resourceOf('', 'v1', 'configmaps');
export const deploymentResource = resourceOf('apps', 'v1', 'deployments');

/** The same with all kinds. */
export class Registry extends Surroundings {
  constructor() {
    super(resources);
  }

  call({ resource = configMapResource, ...given }: Partial<WriteCall> = {}): WriteCall {
    return this.callOn(resource, given);
  }

  /** The namespace that the others live in. */
  async begin(): Promise<this> {
    await this.services.store.create('/namespaces//default', {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name: 'default' },
    });
    return this;
  }
}

export const mapOf = (name: string, metadata: Partial<KubeObject['metadata']> = {}, data?: object): KubeObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, ...metadata },
  ...(data && { data }),
});

/** Code and message of the Status that an action is refused with. */
export async function refusal(
  act: () => unknown,
): Promise<{ code: number; message: string; causes: readonly string[] }> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { code, message = '', details } = error.status;
    return { code, message, causes: (details?.causes ?? []).map(({ field = '' }) => field) };
  }
  throw new Error('it was not refused');
}
