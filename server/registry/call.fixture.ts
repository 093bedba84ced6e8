import type { Passes } from '../admission/admission.ts';
import { featureGates } from '../base/feature-gates.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { ManualTimers } from '../base/manual-timers.fixture.ts';
import { StatusError } from '../base/status-error.ts';
import { anonymous } from '../base/user.ts';
import { kindsFor } from '../kinds/index.ts';
import { ContinueTokens } from '../store/continue-token.ts';
import { withInvariants } from '../store/invariants.fixture.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Services, WriteCall } from './call.ts';
import { storeLookup } from './lookup.ts';
import { builtIns, type ListedResource, Resources } from './resources.ts';

const resources = new Resources(builtIns(kindsFor()));

export const resourceOf = (group: string, version: string, plural: string): ListedResource => {
  const found = resources.find(group, version, plural);
  if (!found) throw new Error(`there is no ${plural} in ${group}/${version}`);
  return found;
};

export const configMapResource = resourceOf('', 'v1', 'configmaps');
export const deploymentResource = resourceOf('apps', 'v1', 'deployments');

const nobody: Passes = {
  mutates: false,
  validates: false,
  changes: false,
  mutate: async () => false,
  async validate() {},
};

/** The verbs' surroundings without a network: a clock that stands still until it is set, and ids that count. */
export class Registry {
  now = Date.parse('2024-01-02T03:04:05Z');
  readonly timers = new ManualTimers();
  readonly warnings: string[] = [];
  readonly services: Services;
  #ids = 0;

  constructor() {
    const store = withInvariants(new MemoryStore({ freeze: true }));
    this.services = {
      store,
      clock: { now: () => this.now },
      timers: this.timers,
      ids: { uid: () => `uid-${++this.#ids}`, suffix: (length) => String(++this.#ids).padStart(length, '0') },
      admission: { passes: () => nobody },
      lookup: storeLookup(store),
      resources,
      features: featureGates([]),
      fieldValidation: 'Warn',
      tokens: new ContinueTokens(),
      allowPrivileged: true,
    };
  }

  call(given: Partial<WriteCall> = {}): WriteCall {
    return {
      services: this.services,
      resource: configMapResource,
      subresource: '',
      namespace: 'default',
      name: 'one',
      user: anonymous,
      userAgent: 'test/1',
      options: { dryRun: false, fieldManager: '', fieldValidation: 'Warn', force: false },
      async demandCreate() {},
      warn: (text) => void this.warnings.push(text),
      annotate() {},
      ...given,
    };
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
